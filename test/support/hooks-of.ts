import type { Ask, Service } from './start-service.ts'

/** Calls hooks as a harness with one runtime path does; the given fields override the defaults. */
export function hooksOf(service: Pick<Service, 'ask'>, defaults: object = {}) {
  let sessions = 0
  return {
    hook: (name: string, body: object = {}, ask: Ask = {}) =>
      service.ask(`POST /api/hooks/${name}`, {
        body: { harness: 'codex', runtimePath: 'plugin', ...defaults, ...body },
        ...ask,
      }),
    newKey: () => `session-${++sessions}`,
  }
}
