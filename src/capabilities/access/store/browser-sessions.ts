import type { Claims } from '../../../kernel/auth/token.ts'
import type { Db } from '../../../kernel/db/database.ts'

export interface BrowserSession {
  /** SHA-256 of the cookie, as hexadecimal digits. */
  readonly idHash: string
  /** SHA-256 of the value that a page sends with the cookie. */
  readonly csrfHash: string
  readonly subject: string
  readonly claims: Claims
  readonly apiKeyId: string | null
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
}

type Row = Omit<BrowserSession, 'claims'> & { readonly claims: string }

const tables = (db: Db) => db.withTables<{ browserSessions: Row }>()

export async function insertSession(db: Db, session: BrowserSession): Promise<void> {
  const row = { ...session, claims: JSON.stringify(session.claims) }
  await tables(db).insertInto('browserSessions').values(row).execute()
}

export async function findSession(db: Db, idHash: string): Promise<BrowserSession | undefined> {
  const row = await tables(db)
    .selectFrom('browserSessions')
    .selectAll()
    .where('idHash', '=', idHash)
    .executeTakeFirst()
  return row && { ...row, claims: JSON.parse(row.claims) }
}

export async function touchSession(db: Db, idHash: string, lastSeenAt: string): Promise<void> {
  await tables(db)
    .updateTable('browserSessions')
    .set({ lastSeenAt })
    .where('idHash', '=', idHash)
    .execute()
}

export async function deleteSession(db: Db, idHash: string): Promise<void> {
  await tables(db).deleteFrom('browserSessions').where('idHash', '=', idHash).execute()
}

/** Of one subject, or of all; the oldest first. */
export async function listOldest(
  db: Db,
  { subject, limit }: { readonly subject?: string; readonly limit: number },
): Promise<string[]> {
  const sessions = tables(db)
    .selectFrom('browserSessions')
    .select('idHash')
    .orderBy(subject === undefined ? 'lastSeenAt' : 'createdAt')
    .limit(limit)
  const ofSubject = subject === undefined ? sessions : sessions.where('subject', '=', subject)
  return (await ofSubject.execute()).map(({ idHash }) => idHash)
}

export async function countSessions(db: Db, subject?: string): Promise<number> {
  const all = tables(db)
    .selectFrom('browserSessions')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
  const counted = subject === undefined ? all : all.where('subject', '=', subject)
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

/** Deletes sessions past their end, and those without a call since `idleSince`. */
export async function deleteEndedSessions(
  db: Db,
  { now, idleSince }: { readonly now: string; readonly idleSince: string },
): Promise<void> {
  const ended = tables(db).deleteFrom('browserSessions')
  await ended.where('expiresAt', '<=', now).execute()
  await ended.where('lastSeenAt', '<=', idleSince).execute()
}
