import type { Db } from '../../kernel/db/database.ts'
import { deleteAgentRows } from './store/agent-rows.ts'

/** Sessions have no archive: both removals delete the rows. */
export const agentRemoval = {
  archive: (db: Db, agentId: string) => deleteAgentRows(db, agentId),
  purge: (db: Db, agentId: string) => deleteAgentRows(db, agentId),
}
