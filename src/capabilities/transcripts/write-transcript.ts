import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Db } from '../../kernel/db/database.ts'
import { appendLines } from '../../kernel/files/append-lines.ts'
import { statFile } from './files/stat-file.ts'
import { pathOfTranscripts, replaceSession } from './files/transcript-file.ts'
import type { TranscriptsNeeds } from './needs.ts'
import {
  clearFileCheckpoint,
  findFileState,
  type PendingFile,
  saveFileCheckpoint,
} from './store/transcript-files.ts'
import { findTranscriptFrom } from './store/transcripts.ts'
import type { Texts } from './texts.ts'
import type { FileCheckpoint } from './written.ts'

type WriteNeeds = Pick<TranscriptsNeeds, 'background' | 'folder' | 'host' | 'locks'> & {
  readonly texts: Pick<Texts, 'plan'>
}

/**
 * Brings the harness file up to date with this session and returns the content hash. Undefined when the
 * transcript was deleted, which is checked under the file lock.
 */
export async function writeTranscript(
  needs: WriteNeeds,
  session: PendingFile,
): Promise<string | undefined> {
  const { background: db, folder, locks, texts, host } = needs
  const file = join(folder, pathOfTranscripts(session.harness))
  await mkdir(dirname(file), { recursive: true })
  return locks.withLock(file, async (lock) => {
    const { checkpoint: savedCheckpoint, wantedHash } = await findFileState(db, session)
    const checkpoint = (await isUnchangedFile(file, savedCheckpoint)) ? savedCheckpoint : undefined
    const unwritten = await readUnwritten(db, session, checkpoint)
    if (!unwritten) return undefined
    const { transcript, after } = unwritten
    const { mode, lines, seq } = await texts.plan({ file, transcript, after })
    // A crash during the write must not leave a stale checkpoint.
    if (savedCheckpoint && lines !== '') await clearFileCheckpoint(db, session)
    await lock.confirm()
    if (mode === 'replace') await replaceSession({ file, lock }, session, lines)
    else if (lines !== '') await appendLines(file, [lines])
    const { file: identity = file, size } = await statFile(file)
    const { course, length, contentHash: writtenHash } = transcript
    const updatedAt = host.now().toISOString()
    const changes = { file: identity, course, length, seq, size }
    await saveFileCheckpoint(db, session, {
      checkpoint: changes,
      writtenHash,
      wantedHash,
      updatedAt,
    })
    return writtenHash
  })
}

/** The appended text of a continued session; the whole content of any other. */
async function readUnwritten(db: Db, session: PendingFile, checkpoint: FileCheckpoint | undefined) {
  const appended = checkpoint && (await findTranscriptFrom(db, session, checkpoint.length))
  if (checkpoint && appended?.course === checkpoint.course)
    return { transcript: appended, after: checkpoint.seq }
  const transcript = await findTranscriptFrom(db, session, 0)
  return transcript && { transcript, after: undefined }
}

/** Whether the file is the same and no shorter than at the checkpoint. */
async function isUnchangedFile(
  path: string,
  checkpoint: FileCheckpoint | undefined,
): Promise<boolean> {
  const { file, size } = await statFile(path)
  return checkpoint !== undefined && checkpoint.file === file && checkpoint.size <= size
}
