import type { Db } from '../../kernel/db/database.ts'

interface HeadRow {
  readonly agentId: string
  /** ISO; null before the first. */
  readonly writtenAt: string | null
  /** Time of the last check for changes. */
  readonly lookedAt: string | null
  /** Hash of the last written text. */
  readonly contentHash: string | null
  /** Incremented with each write of a different text. */
  readonly revision: number
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

/** Times of the last write and the last check of each agent. */
export async function listHeads(db: Db, agentIds: readonly string[]) {
  if (agentIds.length === 0) return []
  return tables(db)
    .selectFrom('memoryMdHeads')
    .select(['agentId', 'writtenAt', 'lookedAt'])
    .where('agentId', 'in', agentIds)
    .execute()
}

interface Lease {
  readonly agentId: string
  readonly token: string
}

/** Acquires the lease until `until`. False if another worker has it. */
export async function leaseHead(
  db: Db,
  { agentId, token, now, until }: Lease & { readonly now: string; readonly until: string },
): Promise<boolean> {
  const lease = { leaseToken: token, leaseExpiresAt: until }
  const row = await tables(db)
    .insertInto('memoryMdHeads')
    .values({ agentId, writtenAt: null, lookedAt: now, contentHash: null, revision: 0, ...lease })
    .onConflict((conflict) =>
      conflict
        .column('agentId')
        .doUpdateSet({ ...lease, lookedAt: now })
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

/** Has no effect without the lease. */
export async function updateHead(
  db: Db,
  {
    contentHash,
    writtenAt,
    ...lease
  }: Lease & { readonly contentHash: string; readonly writtenAt: string },
): Promise<void> {
  await leased(db, lease)
    .set(({ eb, fn, ref }) => ({
      writtenAt,
      contentHash,
      revision: eb
        .case()
        .when(fn.coalesce('contentHash', eb.val('')), '=', contentHash)
        .then(ref('revision'))
        .else(eb('revision', '+', 1))
        .end(),
    }))
    .execute()
}

/** After a generated file was cleaned. */
export async function replaceHash(
  db: Db,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  await tables(db)
    .updateTable('memoryMdHeads')
    .set({ contentHash: after })
    .where('contentHash', '=', before)
    .execute()
}

/** Has no effect if the lease was lost. */
export async function releaseHead(db: Db, lease: Lease): Promise<void> {
  await leased(db, lease).set({ leaseToken: null, leaseExpiresAt: null }).execute()
}

function leased(db: Db, { agentId, token }: Lease) {
  return tables(db)
    .updateTable('memoryMdHeads')
    .where(({ eb }) => eb.and({ agentId, leaseToken: token }))
}

export async function deleteHead(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('memoryMdHeads').where('agentId', '=', agentId).execute()
}
