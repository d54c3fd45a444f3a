import type { Db } from '../../../kernel/db/database.ts'

interface HeadRow {
  readonly agentId: string
  /** ISO; null before the first. */
  readonly writtenAt: string | null
  readonly leaseToken: string | null
  readonly leaseExpiresAt: string | null
}

const tables = (db: Db) => db.withTables<{ memoryMdHeads: HeadRow }>()

export function findHead(db: Db, agentId: string): Promise<HeadRow | undefined> {
  return tables(db)
    .selectFrom('memoryMdHeads')
    .selectAll()
    .where('agentId', '=', agentId)
    .executeTakeFirst()
}

interface Lease {
  readonly agentId: string
  readonly token: string
  readonly now: string
  readonly until: string
}

/** Of all who ask at once one gets it, for a while. */
export async function leaseHead(db: Db, { agentId, token, now, until }: Lease): Promise<boolean> {
  const lease = { leaseToken: token, leaseExpiresAt: until }
  const row = await tables(db)
    .insertInto('memoryMdHeads')
    .values({ agentId, writtenAt: null, ...lease })
    .onConflict((conflict) =>
      conflict
        .column('agentId')
        .doUpdateSet(lease)
        .where(({ eb, or }) =>
          or([
            eb('memoryMdHeads.leaseExpiresAt', 'is', null),
            eb('memoryMdHeads.leaseExpiresAt', '<=', now),
          ]),
        ),
    )
    .returning('agentId')
    .executeTakeFirst()
  return row !== undefined
}

/** Only by whoever holds the lease, which ends with it. */
export async function upsertHead(
  db: Db,
  { agentId, token, writtenAt }: Pick<Lease, 'agentId' | 'token'> & { readonly writtenAt: string },
): Promise<void> {
  await tables(db)
    .updateTable('memoryMdHeads')
    .set({ writtenAt, leaseToken: null, leaseExpiresAt: null })
    .where('agentId', '=', agentId)
    .where('leaseToken', '=', token)
    .execute()
}
