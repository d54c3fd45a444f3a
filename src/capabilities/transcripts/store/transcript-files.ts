import type { Db } from '../../../kernel/db/database.ts'
import type { SessionRef } from '../transcript.ts'
import { type FileCheckpoint, tables } from './rows.ts'

/** Marks the file as out of date until it has the content of this hash. */
export function markFileDirtyQuery(
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

/** A session whose file is out of date. */
export interface PendingFile extends SessionRef {
  readonly harness: string
}

/** The longest waiting first. */
export function listPendingFiles(db: Db, limit: number): Promise<PendingFile[]> {
  return tables(db)
    .selectFrom('sessionTranscriptFiles as file')
    .innerJoin('sessionTranscripts as transcript', (join) =>
      join
        .onRef('transcript.agentId', '=', 'file.agentId')
        .onRef('transcript.sessionKey', '=', 'file.sessionKey'),
    )
    .select(['file.agentId', 'file.sessionKey', 'transcript.harness'])
    .where('file.wantedHash', 'is not', null)
    .orderBy('file.updatedAt')
    .limit(limit)
    .execute()
}

export async function countPendingFiles(db: Db): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('sessionTranscriptFiles')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('wantedHash', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Moves a session to the end of the queue. */
export async function postponeFile(
  db: Db,
  { agentId, sessionKey }: SessionRef,
  updatedAt: string,
): Promise<void> {
  await fileOfSession(db, { agentId, sessionKey }).set({ updatedAt }).execute()
}

interface FileState {
  readonly wantedHash: string | null
  readonly writtenHash: string | null
  /** Undefined when the state of the file is unknown. */
  readonly checkpoint: FileCheckpoint | undefined
}

export async function findFileState(
  db: Db,
  { agentId, sessionKey }: SessionRef,
): Promise<FileState> {
  const row = await tables(db)
    .selectFrom('sessionTranscriptFiles')
    .select(['wantedHash', 'writtenHash', 'mark'])
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .executeTakeFirst()
  const { wantedHash = null, writtenHash = null, mark = null } = row ?? {}
  return { wantedHash, writtenHash, checkpoint: mark === null ? undefined : JSON.parse(mark) }
}

/** Clears the checkpoint before a write. */
export async function clearFileCheckpoint(db: Db, session: SessionRef): Promise<void> {
  await fileOfSession(db, session).set({ writtenHash: null, mark: null }).execute()
}

interface FileUpdate {
  readonly checkpoint: FileCheckpoint
  readonly writtenHash: string
  /** The hash at the start of the write; a newer one stays. */
  readonly wantedHash: string | null
  readonly updatedAt: string
}

export async function saveFileCheckpoint(
  db: Db,
  { agentId, sessionKey }: SessionRef,
  { checkpoint: savedCheckpoint, writtenHash, wantedHash, updatedAt }: FileUpdate,
): Promise<void> {
  const changes = { writtenHash, mark: JSON.stringify(savedCheckpoint), updatedAt }
  await tables(db)
    .insertInto('sessionTranscriptFiles')
    .values({ agentId, sessionKey, wantedHash: null, ...changes })
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'sessionKey']).doUpdateSet(({ eb, ref }) => ({
        ...changes,
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

function fileOfSession(db: Db, { agentId, sessionKey }: SessionRef) {
  return tables(db)
    .updateTable('sessionTranscriptFiles')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
}
