import type { Db } from '../../kernel/db/database.ts'
import { countRecallEvents, listRecallEvents, type RecallEvent } from './store.ts'

interface Scope {
  readonly agentId: string
  readonly project?: string | undefined
  readonly includeUnscoped?: boolean
}

/** Ledger events of sessions: the items that entered their context. */
export const recallEvidence = {
  countEvents: async (
    db: Db,
    { agentId, ...scope }: Scope,
    among: { readonly keys?: readonly string[]; readonly limit: number },
  ) => (includesLedger(scope) ? countRecallEvents(db, agentId, among) : []),
  listEvents: async (
    db: Db,
    { agentId, sessionKey, ...scope }: Scope & { readonly sessionKey: string },
    limit: number,
  ) =>
    includesLedger(scope)
      ? (await listRecallEvents(db, { agentId, sessionKey }, limit)).map(toEvent)
      : [],
}

/** The ledger has no project column. */
function includesLedger({ project, includeUnscoped = false }: Omit<Scope, 'agentId'>): boolean {
  return project === undefined || includeUnscoped
}

const kinds: Readonly<Record<string, 'memory' | 'source' | 'session'>> = {
  memory: 'memory',
  summary: 'session',
  transcript: 'session',
}

function toEvent({ itemKind, itemId, createdAt, ...event }: RecallEvent) {
  const { contextEpoch, surface, mode, source, score } = event
  const ref = {
    kind: kinds[itemKind] ?? 'source',
    id: itemId,
    label: itemId.slice(0, 96),
    ...(score !== null && { score }),
  } as const
  return {
    id: `context:${createdAt}:${itemKind}:${itemId}`,
    kind: 'context.recalled' as const,
    at: createdAt,
    title: `A ${itemKind} came into the context`,
    detail: itemId,
    refs: [ref],
    payload: { itemKind, contextEpoch, surface, mode, source },
  }
}
