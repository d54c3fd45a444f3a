import type { Agent, InferenceConfig, Policy } from '../config/config.ts'
import { findWorkload, type RouteRequest } from './request.ts'

interface OrderInput {
  readonly request: RouteRequest
  readonly policy: Policy
  readonly taskClass: string
  readonly allowed: readonly string[]
}

/** The agent's own settings. The default agent is the only one, if there is no other. */
export function findAgent(
  { agents }: Pick<InferenceConfig, 'agents'>,
  agentId: string,
): Agent | undefined {
  return (
    agents.get(agentId) ?? (agentId === 'default' ? agents.get(defaultAgentId(agents)) : undefined)
  )
}

export function defaultAgentId(agents: InferenceConfig['agents']): string {
  const [only] = agents.size === 1 ? [...agents.keys()] : []
  return only ?? 'default'
}

/** The refs that the roster of the agent and the policy allow, in the order of the settings. */
export function listAllowed(
  config: Pick<InferenceConfig, 'agents' | 'models'>,
  policy: Policy,
  agentId: string,
): readonly string[] {
  const roster = findAgent(config, agentId)?.roster ?? []
  const base = roster.length > 0 ? roster : [...config.models.keys()]
  const [allow, deny] = [new Set(policy.allow), new Set(policy.deny)]
  return [...new Set(base)].filter(
    (ref) => config.models.has(ref) && (allow.size === 0 || allow.has(ref)) && !deny.has(ref),
  )
}

/** The candidates of a call, the preferred one first. Explicit targets are the only candidates. */
export function orderTargets(
  config: InferenceConfig,
  { request, policy, taskClass, allowed }: OrderInput,
): readonly string[] {
  const { explicitTargets = [] } = request
  if (explicitTargets.length > 0) return [...new Set(explicitTargets)]
  const isAllowed = new Set(allowed)
  return [...new Set(listPreferences())].filter((ref) => isAllowed.has(ref))

  function listPreferences(): readonly string[] {
    const { pinnedTargets = {}, preferredTargets = {} } = findAgent(config, request.agentId) ?? {}
    return [
      ...listDefined([own(pinnedTargets, taskClass), own(pinnedTargets, 'default')]),
      ...listDefined([findWorkload(config, request.operation)?.target]),
      ...(own(preferredTargets, taskClass) ?? []),
      ...(own(preferredTargets, 'default') ?? []),
      ...(config.taskClasses.get(taskClass)?.preferredTargets ?? []),
      ...(own(policy.taskTargets, taskClass) ?? []),
      ...policy.defaultTargets,
      ...allowed,
      ...policy.fallbackTargets,
    ]
  }
}

/** Not an inherited member, such as `constructor`. */
function own<Value>(map: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined
}

function listDefined(values: readonly (string | undefined)[]): string[] {
  return values.filter((value) => value !== undefined)
}
