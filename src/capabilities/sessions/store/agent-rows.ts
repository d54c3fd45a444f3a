import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

const ofAgents = [
  'sessionClaims',
  'sessionPresence',
  'sessionBypasses',
  'sessionWindows',
  'sessionStarts',
  'sessionMemories',
  'sessionScores',
] as const

export async function deleteAgentRows(db: Db, agentId: string): Promise<void> {
  for (const table of ofAgents)
    await tables(db).deleteFrom(table).where('agentId', '=', agentId).execute()
}
