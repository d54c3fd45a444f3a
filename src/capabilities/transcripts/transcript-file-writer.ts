import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Db } from '../../kernel/db/database.ts'
import type { Write } from '../../kernel/db/execute-batch.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import { appendLines } from '../../kernel/files/append-lines.ts'
import { pathOfTranscripts, replaceSession, statFile } from './files/transcript-file.ts'
import type { DirtySession, TranscriptsNeeds } from './needs.ts'
import type { FileCheckpoint } from './store/rows.ts'
import {
  clearFileCheckpoint,
  findFileState,
  listPendingFiles,
  markFileDirtyQuery,
  type PendingFile,
  postponeFile,
  saveFileCheckpoint,
} from './store/transcript-files.ts'
import { findTranscriptFrom } from './store/transcripts.ts'
import type { Texts } from './texts.ts'
import { cleanHarness } from './transcript.ts'

type FileWriterNeeds = Pick<TranscriptsNeeds, 'db' | 'background' | 'folder' | 'host' | 'locks'> & {
  readonly texts: Texts
}

/** Changes within this time are written together. */
const debounceMs = 250
/** Queued sessions; `catchUp` finds the others in the database. */
const maxQueued = 1_000
const pendingBatchSize = 200

/**
 * Writes the files of live sessions, debounced and one session at a time. Dirty marks stay in the
 * database until a write succeeds, so a restarted daemon continues.
 */
export class TranscriptFileWriter {
  readonly #needs: FileWriterNeeds
  readonly #queue = new Map<string, PendingFile>()
  readonly #closing = new AbortController()
  #draining: Promise<void> | undefined

  constructor(needs: FileWriterNeeds) {
    this.#needs = needs
  }

  /** A write for the transaction that changes the transcript. */
  markDirty(db: Db, { agentId, sessionKey, harness, contentHash }: DirtySession): Write {
    const updatedAt = this.#needs.host.now().toISOString()
    afterCommit(db, () => this.#enqueue({ agentId, sessionKey, harness: cleanHarness(harness) }))
    return markFileDirtyQuery(db, { agentId, sessionKey }, { wantedHash: contentHash, updatedAt })
  }

  /** Writes files that are missing from the queue: after a crash or a failed write. */
  async catchUp(): Promise<void> {
    const { db, background, host } = this.#needs
    const faults: unknown[] = []
    // This query runs often and is mostly empty, so it does not wake the background thread.
    for (const session of await listPendingFiles(db, pendingBatchSize)) {
      if (this.#closing.signal.aborted) return
      try {
        await writeTranscript(this.#needs, session)
      } catch (error) {
        faults.push(error)
        await postponeFile(background, session, host.now().toISOString())
      }
    }
    if (faults.length > 0) throw faults[0]
  }

  /** Waits for the current write. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#draining
  }

  #enqueue(session: PendingFile): void {
    if (this.#queue.size >= maxQueued || this.#closing.signal.aborted) return
    this.#queue.set(JSON.stringify([session.agentId, session.sessionKey]), session)
    this.#draining ??= this.#drain()
  }

  async #drain(): Promise<void> {
    const { signal } = this.#closing
    await this.#needs.host.sleep(debounceMs, signal)
    for (const [key, session] of this.#queue) {
      this.#queue.delete(key)
      // `catchUp` retries a failed write and reports the error.
      if (!signal.aborted) await writeTranscript(this.#needs, session).catch(() => undefined)
      await turn()
    }
    this.#draining = undefined
  }
}

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
