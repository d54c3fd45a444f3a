import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { Registry } from './registry.ts'
import { evaluate } from './state.ts'

export function pluginsHealth(registry: Registry, version: string): HealthCheck {
  return {
    name: 'plugins',
    check: async () => {
      const states = registry
        .list()
        .map((registered) => ({ id: registered.plugin.id, ...evaluate(registered, version) }))
      const named = (state: string) =>
        states.filter((each) => each.state === state).map(({ id }) => id)
      const [blocked, degraded] = [named('blocked'), named('degraded')]
      const unreadable =
        !registry.isReadable() &&
        'runtime/plugins/registry.json cannot be read; restore or remove it, then restart'
      return toHealth(
        [
          unreadable,
          blocked.length > 0 && `blocked plugins: ${blocked.join(', ')}; run reverie plugin show`,
          degraded.length > 0 && `failing plugins: ${degraded.join(', ')}`,
        ],
        { plugins: states.length, active: named('active').length, blocked, degraded },
      )
    },
  }
}
