import { setImmediate as turn } from 'node:timers/promises'
import type { Db } from '../../kernel/db/database.ts'
import type { Write } from '../../kernel/db/execute-batch.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import { cleanHarness } from './harness.ts'
import type { DirtySession, TranscriptsNeeds } from './needs.ts'
import {
  listPendingFiles,
  markFileDirtyQuery,
  type PendingFile,
  postponeFile,
} from './store/transcript-files.ts'
import type { Texts } from './texts.ts'
import { writeTranscript } from './write-transcript.ts'

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
