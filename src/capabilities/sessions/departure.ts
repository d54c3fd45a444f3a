import type { Db } from '../../kernel/db/database.ts'
import { deleteAgentRows } from './store/departure.ts'

/** A session says nothing that would outlive its agent: its rows go either way. */
export const sessionsDeparture = {
  archive: (db: Db, agentId: string) => deleteAgentRows(db, agentId),
  purge: (db: Db, agentId: string) => deleteAgentRows(db, agentId),
}
