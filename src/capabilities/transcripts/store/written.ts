import type { Db } from '../../../kernel/db/database.ts'
import type { SessionRef } from '../transcript.ts'
import type { Written } from '../written.ts'
import { tables } from './rows.ts'

/** Has the file go on until it holds the content of this hash. */
export function wantingWritten(
  db: Db,
  { agentId, sessionKey }: SessionRef,
  { wantedHash, updatedAt }: { readonly wantedHash: string; readonly updatedAt: string },
) {
  return tables(db)
    .insertInto('sessionTranscriptFiles')
    .values({ agentId, sessionKey, wantedHash, writtenHash: null, mark: null, updatedAt })
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'sessionKey']).doUpdateSet({ wantedHash, updatedAt }),
    )
}

/** A session whose file lacks something. */
export interface Behind extends SessionRef {
  readonly harness: string
}

/** Those that have waited longest. */
export function listBehind(db: Db, limit: number): Promise<Behind[]> {
  return tables(db)
    .selectFrom('sessionTranscriptFiles as file')
    .innerJoin('sessionTranscripts as said', (join) =>
      join
        .onRef('said.agentId', '=', 'file.agentId')
        .onRef('said.sessionKey', '=', 'file.sessionKey'),
    )
    .select(['file.agentId', 'file.sessionKey', 'said.harness'])
    .where('file.wantedHash', 'is not', null)
    .orderBy('file.updatedAt')
    .limit(limit)
    .execute()
}

/** Sessions whose file lacks something. */
export async function countBehind(db: Db): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('sessionTranscriptFiles')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('wantedHash', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lets others go first. */
export async function postpone(
  db: Db,
  { agentId, sessionKey }: SessionRef,
  updatedAt: string,
): Promise<void> {
  await ofSession(db, { agentId, sessionKey }).set({ updatedAt }).execute()
}

interface Found {
  readonly wantedHash: string | null
  readonly writtenHash: string | null
  /** Undefined where nobody knows what the file holds. */
  readonly written: Written | undefined
}

export async function findWritten(db: Db, { agentId, sessionKey }: SessionRef): Promise<Found> {
  const row = await tables(db)
    .selectFrom('sessionTranscriptFiles')
    .select(['wantedHash', 'writtenHash', 'mark'])
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .executeTakeFirst()
  const { wantedHash = null, writtenHash = null, mark = null } = row ?? {}
  return { wantedHash, writtenHash, written: mark === null ? undefined : JSON.parse(mark) }
}

/** While it is being written to. */
export async function forgetWritten(db: Db, session: SessionRef): Promise<void> {
  await ofSession(db, session).set({ writtenHash: null, mark: null }).execute()
}

interface Noting {
  readonly written: Written
  readonly writtenHash: string
  /** What was wanted before it was written: what is wanted since then still is. */
  readonly wantedHash: string | null
  readonly updatedAt: string
}

export async function updateWritten(
  db: Db,
  { agentId, sessionKey }: SessionRef,
  { written, writtenHash, wantedHash, updatedAt }: Noting,
): Promise<void> {
  const noted = { writtenHash, mark: JSON.stringify(written), updatedAt }
  await tables(db)
    .insertInto('sessionTranscriptFiles')
    .values({ agentId, sessionKey, wantedHash: null, ...noted })
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'sessionKey']).doUpdateSet(({ eb, ref }) => ({
        ...noted,
        wantedHash: eb
          .case()
          .when('sessionTranscriptFiles.wantedHash', '=', wantedHash)
          .then(null)
          .else(ref('sessionTranscriptFiles.wantedHash'))
          .end(),
      })),
    )
    .execute()
}

function ofSession(db: Db, { agentId, sessionKey }: SessionRef) {
  return tables(db)
    .updateTable('sessionTranscriptFiles')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
}
