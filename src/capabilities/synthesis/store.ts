import type { Db } from '../../kernel/db/database.ts'

interface HeadRow {
  readonly agentId: string
  /** ISO; null before the first. */
  readonly writtenAt: string | null
  /** When it was last seen whether there is anything to write. */
  readonly lookedAt: string | null
  /** Of what was written last. */
  readonly contentHash: string | null
  /** 0 before the first, one more with each that says something else. */
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

/** When each of these had its render, and when it was last looked. */
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

/** Of all who ask at once one gets it, for a while. */
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

/** Only by whoever holds the lease. */
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
      ...{ writtenAt, contentHash },
      revision: eb
        .case()
        .when(fn.coalesce('contentHash', eb.val('')), '=', contentHash)
        .then(ref('revision'))
        .else(eb('revision', '+', 1))
        .end(),
    }))
    .execute()
}

/** For a render that was cleaned in its place. */
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

/** Harmless for who holds it no more. */
export async function releaseHead(db: Db, lease: Lease): Promise<void> {
  await leased(db, lease).set({ leaseToken: null, leaseExpiresAt: null }).execute()
}

function leased(db: Db, { agentId, token }: Lease) {
  return tables(db)
    .updateTable('memoryMdHeads')
    .where('agentId', '=', agentId)
    .where('leaseToken', '=', token)
}

export async function deleteHead(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('memoryMdHeads').where('agentId', '=', agentId).execute()
}
