import type { Db } from '../../../kernel/db/database.ts'
import type { Summary } from '../summary.ts'
import { tables } from './rows.ts'

export async function upsertSummary(db: Db, { createdAt, ...summary }: Summary): Promise<void> {
  const { agentId, id, ...changed } = summary
  await tables(db)
    .insertInto('sessionSummaries')
    .values({ ...summary, createdAt })
    .onConflict((conflict) => conflict.columns(['agentId', 'id']).doUpdateSet(changed))
    .execute()
}
