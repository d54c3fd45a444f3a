import type { Ask, Service } from './start-service.ts'

/** Test files of one process may share a service, so a key is new to all of them. */
const created = { sessions: 0 }

/** Calls hooks as a harness with one runtime path does; the given fields override the defaults. */
export function hooksOf(service: Pick<Service, 'ask'>, defaults: object = {}) {
  return {
    hook: (name: string, body: object = {}, ask: Ask = {}) =>
      service.ask(`POST /api/hooks/${name}`, {
        body: { harness: 'codex', runtimePath: 'plugin', ...defaults, ...body },
        ...ask,
      }),
    newKey: () => `session-${++created.sessions}`,
  }
}
