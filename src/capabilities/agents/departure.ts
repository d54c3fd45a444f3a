import type { Db } from '../../kernel/db/database.ts'

/** What another capability does with its rows of an agent that goes; part of that transaction. */
export interface Departure {
  /** The rows stay, out of everybody's sight. */
  archive(db: Db, agentId: string): Promise<void>
  /** The rows go, with all that hangs on them. */
  purge(db: Db, agentId: string): Promise<void>
}
