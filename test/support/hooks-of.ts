import type { Ask, Service } from './start-service.ts'

/** Calls hooks as a harness does that speaks by one path; what is sent counts before what is usual. */
export function hooksOf(service: Pick<Service, 'ask'>, usual: object = {}) {
  let sessions = 0
  return {
    hook: (name: string, body: object = {}, ask: Ask = {}) =>
      service.ask(`POST /api/hooks/${name}`, {
        body: { harness: 'codex', runtimePath: 'plugin', ...usual, ...body },
        ...ask,
      }),
    newKey: () => `session-${++sessions}`,
  }
}
