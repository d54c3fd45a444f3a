import { deleteAgentRows } from '../../../kernel/db/agent-rows.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { OfferedMemory, Score } from '../score.ts'
import type { Claim, Presence, SessionId } from '../session.ts'

type ClaimRow = Omit<Claim, 'warned'> & { readonly warned: 0 | 1 }

/** A start context that was sent. `project` is empty for a session without a project. */
export interface StartRow extends SessionId {
  readonly harness: string
  readonly project: string
  readonly daemonId: string
  readonly startedAt: string
}

export type Tables = {
  sessionClaims: ClaimRow
  sessionPresence: Presence
  sessionBypasses: SessionId & { readonly expiresAt: string }
  /** Sessions that were bypassed and not resumed, also after their end. */
  sessionBypassMarks: SessionId
  sessionWindows: SessionId & { readonly content: string; readonly updatedAt: string }
  sessionStarts: StartRow
  sessionMemories: Omit<OfferedMemory, 'wasInjected'> & { readonly wasInjected: 0 | 1 }
  sessionScores: Score
}

export const tables = (db: Db) => db.withTables<Tables>()

export function toClaim({ warned, ...row }: ClaimRow): Claim {
  return { ...row, warned: warned === 1 }
}

const ofAgents = [
  'sessionClaims',
  'sessionPresence',
  'sessionBypasses',
  'sessionBypassMarks',
  'sessionWindows',
  'sessionStarts',
  'sessionMemories',
  'sessionScores',
] as const satisfies readonly (keyof Tables)[]

const deleteAgent = (db: Db, agentId: string) => deleteAgentRows(db, ofAgents, agentId)

/** Sessions have no archive: both removals delete the rows. */
export const agentRemoval = { archive: deleteAgent, purge: deleteAgent }
