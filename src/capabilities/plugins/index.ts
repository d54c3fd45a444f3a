import { join } from 'node:path'
import { toDomainCheck } from '../../kernel/capability/domain.ts'
import type { AuditEntry } from './audit/audit-event.ts'
import { createAuditLog } from './audit/audit-log.ts'
import { createContentReader } from './contributions.ts'
import { listContributions } from './describe.ts'
import { emitChange } from './events.ts'
import { pluginsHealth } from './health.ts'
import type { Target } from './manifest.ts'
import type { PluginsNeeds } from './needs.ts'
import { createGate } from './precondition.ts'
import { createRegistry } from './registry.ts'
import { pluginsRoutes } from './routes.ts'

export type { AuditEntry } from './audit/audit-event.ts'
export type { Audit } from './audit/audit-log.ts'
export { manifestSchema } from './manifest.ts'
export type { BundledPlugin } from './plugin.ts'
export type { PluginGate } from './precondition.ts'

export const pluginsModule = { name: 'plugins' } as const

export function createPlugins(needs: PluginsNeeds) {
  const { version } = needs
  const audit = createAuditLog({ ...needs, folder: join(needs.folder, 'runtime', 'plugins') })
  const onChange = (entry: AuditEntry) => {
    audit.add(entry)
    emitChange(needs.events, entry)
  }
  const registry = createRegistry({ ...needs, onChange })
  const readContents = createContentReader({ ...needs, onHealth: registry.setHealth })
  const health = pluginsHealth(registry, version)
  const described = { registry, readContents, version }
  return {
    routes: pluginsRoutes({ ...described, audit }),
    health,
    diagnostics: [toDomainCheck(health, 'reverie plugin list')],
    audit,
    /** Adds a module of the service while the daemon is constructed. */
    add: registry.add,
    createGate: (pluginId: string) => createGate({ registry, audit, version }, pluginId),
    /** Texts for prompts. */
    promptContributions: {
      listContributions: (target: Target) => listContributions(described, target),
    },
    start: () =>
      registry.start().catch((err: unknown) => {
        needs.log.error({ err }, 'plugins not read')
      }),
    stop: audit.flush,
  }
}
