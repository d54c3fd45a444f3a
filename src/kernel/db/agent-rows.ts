import type { Db } from './database.ts'

type AgentTables = Record<string, { agentId: string }>

/** Deletes the rows of an agent in each table, in the transaction of `db` if it is one. */
export async function deleteAgentRows(
  db: Db,
  tables: readonly string[],
  agentId: string,
): Promise<void> {
  const typed = db.withTables<AgentTables>()
  for (const table of tables) await typed.deleteFrom(table).where('agentId', '=', agentId).execute()
}

/** Moves the rows of an agent to another name in each table. */
export async function renameAgentRows(
  db: Db,
  tables: readonly string[],
  { agentId, name }: { readonly agentId: string; readonly name: string },
): Promise<void> {
  const typed = db.withTables<AgentTables>()
  for (const table of tables)
    await typed.updateTable(table).set({ agentId: name }).where('agentId', '=', agentId).execute()
}
