import { type Ask, type Service, startService } from './start-service.ts'

/** A file of tests cannot restart or stop the service of other files, nor read its output. */
export type SharedService = Pick<Service, 'url' | 'workspace' | 'ask' | 'tokenFor'>

const shared: { service?: Promise<SharedService> } = {}

/**
 * The service with default options that the test files of a process share; the reaper ends it. A file
 * uses agents, projects, sessions and words of its own, and asserts no total of all memories. A file
 * that asserts all memories of an agent names that agent, which reads no others and sends its requests.
 */
export async function startSharedService(agent?: string): Promise<SharedService> {
  shared.service ??= startService()
  const service = await shared.service
  if (agent === undefined) return service
  await service.ask('POST /api/agents', { body: { name: agent, read_policy: 'isolated' } })
  const { url, workspace, tokenFor } = service
  const ask = (operation: string, request: Ask = {}) =>
    service.ask(operation, { agent, ...request })
  return { url, workspace, tokenFor, ask }
}
