import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { compileOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Claim, RuntimePath, SessionId } from '../session.ts'
import { type Tables, tables, toClaim } from './rows.ts'

export async function findClaim(db: Db, { agentId, sessionKey }: SessionId) {
  const row = await tables(db)
    .selectFrom('sessionClaims')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .executeTakeFirst()
  return row && toClaim(row)
}

interface NewClaim extends SessionId {
  readonly runtimePath: RuntimePath
  readonly harness: string | null
  readonly project: string | null
  readonly now: string
  readonly expiresAt: string
}

const fresh = { state: 'active', endedAt: null, endMarker: null, warned: 0 } as const

/** One of several concurrent claims wins. No row if the other path has the claim. */
export const claimQuery = compileOnce((db, { now, ...claim }: NewClaim) =>
  tables(db)
    .insertInto('sessionClaims')
    .values({ ...claim, ...fresh, claimedAt: now })
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'sessionKey'])
        .doUpdateSet(({ ref, fn, eb }) => ({
          ...fresh,
          runtimePath: ref('excluded.runtimePath'),
          harness: fn.coalesce('excluded.harness', 'sessionClaims.harness'),
          project: fn.coalesce('sessionClaims.project', 'excluded.project'),
          expiresAt: ref('excluded.expiresAt'),
          claimedAt: eb
            .case()
            .when(
              eb.and([
                eb('sessionClaims.state', '=', 'active'),
                eb('sessionClaims.expiresAt', '>', now),
              ]),
            )
            .then(ref('sessionClaims.claimedAt'))
            .else(ref('excluded.claimedAt'))
            .end(),
        }))
        .where(({ eb, or, ref }) =>
          or([
            eb('sessionClaims.state', '!=', 'active'),
            eb('sessionClaims.expiresAt', '<=', now),
            eb('sessionClaims.runtimePath', '=', ref('excluded.runtimePath')),
          ]),
        ),
    ),
)

/** Undefined for a missing, ended or expired claim. */
export async function renewClaim(
  db: Db,
  { agentId, sessionKey }: SessionId,
  { now, expiresAt }: { readonly now: string; readonly expiresAt: string },
): Promise<Claim | undefined> {
  const row = await tables(db)
    .updateTable('sessionClaims')
    .set({ expiresAt, warned: 0 })
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .where('state', '=', 'active')
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
  return row && toClaim(row)
}

interface EndClaimRequest extends SessionId {
  readonly endMarker: string
  readonly endedAt: string
  /** Of a session that was never claimed; the project of a claim stays. */
  readonly project?: string | null | undefined
  /** An end before this time counts as none. */
  readonly forgottenBefore: string
  /** A live claim of the other path is not ended. Null ends the claim of either path. */
  readonly runtimePath: RuntimePath | null
  /** Ends the session only if its claim has expired. */
  readonly onlyExpired?: boolean | undefined
}

/** Writes the tombstone, also without a claim. False if a concurrent call ended the session. */
export async function endClaim(db: Db, ending: EndClaimRequest): Promise<boolean> {
  const { agentId, sessionKey, endMarker, endedAt, forgottenBefore, runtimePath, onlyExpired } =
    ending
  const { project = null } = ending
  const tombstone = { state: 'ended', endMarker, endedAt } as const
  const row = await tables(db)
    .insertInto('sessionClaims')
    .values({
      agentId,
      sessionKey,
      ...tombstone,
      runtimePath,
      harness: null,
      project,
      claimedAt: endedAt,
      expiresAt: endedAt,
      warned: 0,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'sessionKey'])
        .doUpdateSet(tombstone)
        .where(({ eb, or, and }) =>
          or([
            and([
              eb('sessionClaims.state', '=', 'active'),
              or([
                eb('sessionClaims.expiresAt', '<=', endedAt),
                ...(onlyExpired ? [] : [ownedBy(runtimePath)]),
              ]),
            ]),
            eb('sessionClaims.endedAt', '<=', forgottenBefore),
          ]),
        ),
    )
    .returning('sessionKey')
    .executeTakeFirst()
  return row !== undefined
}

function ownedBy(runtimePath: RuntimePath | null): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'sessionClaims'>()
  return runtimePath === null
    ? sql<SqlBool>`1 = 1`
    : eb('sessionClaims.runtimePath', '=', runtimePath)
}

/** True for one of several concurrent calls: the one that sends the warning. */
export async function markWarned(db: Db, { agentId, sessionKey }: SessionId): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('sessionClaims')
    .set({ warned: 1 })
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .where('warned', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Newest first. */
export async function listLiveClaims(
  db: Db,
  {
    agentId,
    now,
    limit,
  }: { readonly agentId: string; readonly now: string; readonly limit: number },
): Promise<Claim[]> {
  const rows = await tables(db)
    .selectFrom('sessionClaims')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('state', '=', 'active')
    .where('expiresAt', '>', now)
    .orderBy('claimedAt', 'desc')
    .orderBy('sessionKey')
    .limit(limit)
    .execute()
  return rows.map(toClaim)
}

/** Expired claims without an end, the oldest first. */
export async function listExpiredClaims(db: Db, now: string, limit: number): Promise<Claim[]> {
  const rows = await tables(db)
    .selectFrom('sessionClaims')
    .selectAll()
    .where('state', '=', 'active')
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(limit)
    .execute()
  return rows.map(toClaim)
}

export async function countLiveClaims(db: Db, now: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('sessionClaims')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('state', '=', 'active')
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteTombstones(db: Db, before: string): Promise<void> {
  await tables(db)
    .deleteFrom('sessionClaims')
    .where('state', '=', 'ended')
    .where('endedAt', '<=', before)
    .execute()
}
