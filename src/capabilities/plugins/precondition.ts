import type { Refusal } from '../../kernel/errors/refusal.ts'
import type { Attempt } from '../../kernel/http/route.ts'
import type { Audit } from './audit/audit-log.ts'
import { blockedPlugin, capabilityMissing, disabledPlugin, pluginNotFound } from './refusals.ts'
import type { Registry } from './registry.ts'
import { evaluate, isOperating, listGranted } from './state.ts'

interface GateNeeds {
  readonly registry: Pick<Registry, 'find'>
  readonly audit: Audit
  readonly version: string
}

export type PluginGate = ReturnType<typeof createGate>

/** The checks of the routes of one plugin. They read the decisions of the moment. */
export function createGate({ registry, audit, version }: GateNeeds, pluginId: string) {
  const findRefusal = (required: readonly string[]): Refusal | undefined => {
    const registered = registry.find(pluginId)
    if (!registered) return pluginNotFound(pluginId)
    const { state, reason } = evaluate(registered, version)
    if (state === 'disabled') return disabledPlugin(pluginId)
    if (!isOperating(state)) return blockedPlugin(pluginId, reason)
    const granted = listGranted(registered)
    const missing = required.filter((name) => !granted.includes(name))
    return missing.length > 0 ? capabilityMissing(pluginId, missing) : undefined
  }
  /** Refuses a call without these capabilities, and records the denial. */
  const assertGranted = (required: readonly string[], attempt: Attempt): void => {
    const all = [...required, ...listSurfaceCapabilities(attempt)]
    const refusal = findRefusal(all)
    if (!refusal) return
    audit.add(toDenial(pluginId, { refusal, requiredCapabilities: all, attempt }))
    throw refusal
  }
  return {
    /** Whether these capabilities are granted; records nothing. */
    isOpen: (required: readonly string[]) => findRefusal(required) === undefined,
    assertGranted,
  }
}

/** Tools and commands need a capability in addition to those of their route. */
const surfaceCapabilities: Readonly<Record<string, string>> = {
  mcp: 'mcp:tool',
  cli: 'cli:command',
}

function listSurfaceCapabilities({ surface = '' }: Attempt): readonly string[] {
  const [kind = ''] = surface.split('.')
  const capability = surfaceCapabilities[kind]
  return capability === undefined ? [] : [capability]
}

interface Denial {
  readonly refusal: Refusal
  readonly requiredCapabilities: readonly string[]
  readonly attempt: Attempt
}

function toDenial(pluginId: string, { refusal, requiredCapabilities, attempt }: Denial) {
  const { caller, method, path } = attempt
  const { status, missingCapabilities } = refusal.details
  return {
    event: 'plugin.capability_denied' as const,
    pluginId,
    result: 'denied' as const,
    source: 'secrets-routes' as const,
    agentId: caller.agentId,
    data: {
      path,
      method,
      status,
      httpStatus: { not_found: 404, unavailable: 503 }[String(refusal.kind)] ?? 403,
      requiredCapabilities,
      missingCapabilities,
    },
  }
}
