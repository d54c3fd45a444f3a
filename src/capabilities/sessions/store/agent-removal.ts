import { deleteAgentRows } from '../../../kernel/db/agent-rows.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Tables } from './rows.ts'

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
