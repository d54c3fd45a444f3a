import type { Db } from '../../kernel/db/database.ts'
import { countRecallEvents, listRecallEvents, type RecallEvent } from './store.ts'

interface Scope {
  readonly agentId: string
  readonly project?: string | undefined
}

/** What the ledger tells of sessions: which of the agent's memories came into their context. */
export const recallEvidence = {
  isRecall: true,
  /** The ledger knows no project. */
  countEvents: async (
    db: Db,
    { agentId, project }: Scope,
    among: { readonly keys?: readonly string[]; readonly limit: number },
  ) => (project === undefined ? countRecallEvents(db, agentId, among) : []),
  listEvents: async (
    db: Db,
    { agentId, sessionKey }: Scope & { readonly sessionKey: string },
    limit: number,
  ) => (await listRecallEvents(db, { agentId, sessionKey }, limit)).map(toEvent),
} as const

const kinds: Readonly<Record<string, 'memory' | 'source' | 'session'>> = {
  memory: 'memory',
  summary: 'session',
  transcript: 'session',
}

function toEvent({ itemKind, itemId, createdAt, ...event }: RecallEvent) {
  const { contextEpoch, surface, mode, source, score } = event
  const ref = {
    ...{ kind: kinds[itemKind] ?? 'source', id: itemId, label: itemId.slice(0, 96) },
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
