import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

const ofAgents = [
  'sessionClaims',
  'sessionPresence',
  'sessionBypasses',
  'sessionBypassMarks',
  'sessionWindows',
  'sessionStarts',
  'sessionMemories',
  'sessionScores',
] as const

async function deleteAgentRows(db: Db, agentId: string): Promise<void> {
  for (const table of ofAgents)
    await tables(db).deleteFrom(table).where('agentId', '=', agentId).execute()
}

/** Sessions have no archive: both removals delete the rows. */
export const agentRemoval = {
  archive: (db: Db, agentId: string) => deleteAgentRows(db, agentId),
  purge: (db: Db, agentId: string) => deleteAgentRows(db, agentId),
}
