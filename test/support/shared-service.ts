import { type Service, startService } from './start-service.ts'

/** A file of tests cannot restart or stop the service of other files, nor read its output. */
export type SharedService = Pick<Service, 'url' | 'workspace' | 'ask' | 'tokenFor'>

const shared: { service?: Promise<SharedService> } = {}

/**
 * The service with default options that the test files of a process share; the reaper ends it. A file
 * uses agents, projects, sessions and words of its own, and asserts no total of all memories.
 */
export function startSharedService(): Promise<SharedService> {
  shared.service ??= startService()
  return shared.service
}
