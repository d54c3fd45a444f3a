import type { Db } from '../../../kernel/db/database.ts'
import { type ToolCallRow, tables } from './rows.ts'

const maxCalls = 2_000

export function listToolCalls(db: Db, passId: string): Promise<ToolCallRow[]> {
  return tables(db)
    .selectFrom('dreamingToolCalls')
    .selectAll()
    .where('passId', '=', passId)
    .orderBy('sequence')
    .limit(maxCalls)
    .execute()
}

export async function insertToolCall(db: Db, row: ToolCallRow): Promise<void> {
  await tables(db).insertInto('dreamingToolCalls').values(row).execute()
}
