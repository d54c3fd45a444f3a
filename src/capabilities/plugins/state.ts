import { satisfies } from 'semver'
import { type Manifest, noSurfaces, type Surfaces } from './manifest.ts'
import type { Decision, Plugin, PluginHealth } from './plugin.ts'

export type PluginState = 'discovered' | 'active' | 'degraded' | 'disabled' | 'blocked'

/** A plugin with the decision of its user and its health. */
export interface Registered {
  readonly plugin: Plugin
  readonly decision: Decision
  readonly health: PluginHealth | undefined
}

interface Evaluated {
  readonly state: PluginState
  readonly reason?: string
}

/** The conditions have an order: the first that applies determines the state. */
export function evaluate(registered: Registered, coreVersion: string): Evaluated {
  const { plugin, decision, health } = registered
  const { manifest, validationErrors, source } = plugin
  if (!manifest || validationErrors.length > 0)
    return { state: 'blocked', reason: `the manifest is invalid: ${validationErrors[0] ?? ''}` }
  if (!decision.enabled) return { state: 'disabled', reason: 'disabled by host policy' }
  const { kind } = manifest.runtime
  if (kind !== (source === 'bundled' ? 'bundled-module' : 'none'))
    return { state: 'blocked', reason: `the runtime kind '${kind}' is not supported` }
  const { core = '*' } = manifest.requires
  if (!satisfies(coreVersion, core, { includePrerelease: true }))
    return { state: 'blocked', reason: `it requires version ${core} of the service` }
  if (health && health.status !== 'healthy')
    return { state: 'degraded', ...(health.message && { reason: health.message }) }
  return { state: 'active' }
}

export function isOperating(state: PluginState): boolean {
  return state === 'active' || state === 'degraded'
}

/** Declared capabilities that the user has granted. */
export function listGranted({ plugin, decision }: Registered): readonly string[] {
  const declared = listDeclared(plugin.manifest)
  return decision.grantedCapabilities.filter((name) => declared.includes(name)).toSorted()
}

export function listDeclared(manifest: Manifest | undefined): readonly string[] {
  return manifest?.capabilities.map(({ id }) => id) ?? []
}

/** The record of a plugin in replies. */
export function toRecord(registered: Registered, coreVersion: string) {
  const { plugin, decision, health } = registered
  const { manifest } = plugin
  const { state, reason } = evaluate(registered, coreVersion)
  const granted = listGranted(registered)
  const declared = listDeclared(manifest)
  return {
    id: plugin.id,
    name: manifest?.name ?? plugin.id,
    version: manifest?.version ?? '0.0.0',
    publisher: manifest?.publisher ?? '',
    source: plugin.source,
    trustTier: manifest?.trustTier ?? ('community' as const),
    enabled: decision.enabled,
    state,
    ...(reason !== undefined && { stateReason: reason }),
    declaredCapabilities: [...declared],
    grantedCapabilities: [...granted],
    pendingCapabilities: declared.filter((name) => !granted.includes(name)),
    surfaces: listActiveSurfaces(registered, coreVersion),
    ...(health && { health }),
    installedAt: decision.installedAt,
    updatedAt: decision.updatedAt,
  }
}

/** Declared surfaces whose capabilities are all granted; none unless the plugin operates. */
export function listActiveSurfaces(registered: Registered, coreVersion: string): Surfaces {
  const { manifest } = registered.plugin
  if (!manifest || !isOperating(evaluate(registered, coreVersion).state)) return noSurfaces
  const granted = listGranted(registered)
  const entries = Object.entries(manifest.surfaces).map(([surface, declared]) => [
    surface,
    declared.filter(({ requiredCapabilities }) =>
      requiredCapabilities.every((name) => granted.includes(name)),
    ),
  ])
  return Object.fromEntries(entries) as Surfaces
}
