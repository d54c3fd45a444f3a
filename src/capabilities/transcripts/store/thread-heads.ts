import type { Db } from '../../../kernel/db/database.ts'
import type { ThreadHead } from '../thread.ts'
import { tables } from './rows.ts'

/** An older node changes nothing. */
export async function upsertThreadHead(db: Db, head: ThreadHead): Promise<void> {
  const { agentId, threadKey, ...changed } = head
  await tables(db)
    .insertInto('memoryThreadHeads')
    .values(head)
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'threadKey'])
        .doUpdateSet(changed)
        .where('memoryThreadHeads.latestAt', '<=', head.latestAt),
    )
    .execute()
}

/** The latest first. */
export function listThreadHeads(
  db: Db,
  { agentId, project }: { readonly agentId: string; readonly project?: string | undefined },
  limit: number,
): Promise<ThreadHead[]> {
  const heads = tables(db)
    .selectFrom('memoryThreadHeads')
    .selectAll()
    .where('agentId', '=', agentId)
    .orderBy('latestAt', 'desc')
    .orderBy('threadKey')
    .limit(limit)
  return (project === undefined ? heads : heads.where('project', '=', project)).execute()
}
