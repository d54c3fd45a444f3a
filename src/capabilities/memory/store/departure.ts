import type { Db } from '../../../kernel/db/database.ts'
import { reserveRevisions } from './memories.ts'
import { tables } from './rows.ts'

export async function archiveMemories(db: Db, agentId: string): Promise<void> {
  const revision = await reserveRevisions(db)
  await tables(db)
    .updateTable('memories')
    .set({ visibility: 'archived', revision })
    .where('agentId', '=', agentId)
    .execute()
}
