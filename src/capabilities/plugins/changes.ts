import type { AuditEntry } from './audit/audit-event.ts'
import { listCandidates } from './contributions.ts'
import { evaluate, listGranted, type Registered } from './state.ts'

type Change = Pick<AuditEntry, 'event' | 'result' | 'data'>

/** What an audit records about a change of plugins: states, grants and contributions in effect. */
export function listChanges(
  before: readonly Registered[],
  after: readonly Registered[],
  coreVersion: string,
): readonly AuditEntry[] {
  const known = new Map(before.map((registered) => [registered.plugin.id, registered]))
  const changes = after.flatMap((registered) => {
    const earlier = known.get(registered.plugin.id)
    const listed = [
      ...listDecisions(earlier, registered),
      ...listStates(earlier, registered, coreVersion),
    ]
    return listed.map((change) => toEntry(registered.plugin.id, change))
  })
  return [...changes, ...listContributions(before, after, coreVersion)]
}

function toEntry(pluginId: string, change: Change): AuditEntry {
  return { pluginId, source: 'plugin-host', ...change }
}

function listDecisions(earlier: Registered | undefined, registered: Registered): Change[] {
  if (!earlier) return []
  const { enabled } = registered.decision
  const granted = listGranted(registered)
  const isSame = granted.join(' ') === listGranted(earlier).join(' ')
  return [
    ...(enabled === earlier.decision.enabled
      ? []
      : [{ event: `plugin.${enabled ? 'enabled' : 'disabled'}`, result: 'ok', data: {} } as const]),
    ...(isSame
      ? []
      : [
          {
            event: 'plugin.grants_changed',
            result: 'ok',
            data: { grantedCapabilities: granted },
          } as const,
        ]),
  ]
}

function listStates(
  earlier: Registered | undefined,
  registered: Registered,
  coreVersion: string,
): Change[] {
  const { state, reason } = evaluate(registered, coreVersion)
  if (earlier && evaluate(earlier, coreVersion).state === state) return []
  const data = { reason }
  if (state === 'blocked') return [{ event: 'plugin.blocked', result: 'error', data }]
  if (state !== 'degraded') return []
  return [
    { event: 'plugin.degraded', result: 'degraded', data },
    { event: 'plugin.health_failed', result: 'degraded', data },
  ]
}

function listContributions(
  before: readonly Registered[],
  after: readonly Registered[],
  coreVersion: string,
): readonly AuditEntry[] {
  const [earlier, current] = [before, after].map((all) => listEffective(all, coreVersion))
  if (!earlier || !current) return []
  const added = [...current].filter(([key]) => !earlier.has(key))
  const removed = [...earlier].filter(([key]) => !current.has(key))
  return [
    ...added.map(([, { pluginId, data }]) =>
      toEntry(pluginId, { event: 'prompt.contribution_added', result: 'ok', data }),
    ),
    ...removed.map(([, { pluginId, data }]) =>
      toEntry(pluginId, { event: 'prompt.contribution_removed', result: 'ok', data }),
    ),
  ]
}

function listEffective(all: readonly Registered[], coreVersion: string) {
  const effective = listCandidates(all, coreVersion).filter(({ reason }) => reason === undefined)
  return new Map(
    effective.map(({ registered, contribution: { id, target } }) => [
      `${registered.plugin.id} ${id}`,
      { pluginId: registered.plugin.id, data: { contribution: id, target } },
    ]),
  )
}
