import { setImmediate as turn } from 'node:timers/promises'
import type { Db } from '../../kernel/db/database.ts'
import type { Write } from '../../kernel/db/execute-batch.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import { cleanHarness } from './harness.ts'
import type { TranscriptsNeeds, Wanted } from './needs.ts'
import { type Behind, listBehind, postpone, wantingWritten } from './store/written.ts'
import type { Texts } from './texts.ts'
import { writeTranscript } from './write-transcript.ts'

type WriteOutNeeds = Pick<TranscriptsNeeds, 'db' | 'background' | 'folder' | 'host' | 'locks'> & {
  readonly texts: Texts
}

/** What comes together is written together. */
const soonMs = 250
/** Sessions; of more than these the next look at the database tells. */
const mostTold = 1_000
const behindAtOnce = 200

/**
 * Brings the files of sessions that go on to what was said in them, soon after and one session after
 * another. What is wanted stands in the database until it is done: a daemon that starts goes on with it.
 */
export class WriteOut {
  readonly #needs: WriteOutNeeds
  readonly #told = new Map<string, Behind>()
  readonly #closing = new AbortController()
  #working: Promise<void> | undefined

  constructor(needs: WriteOutNeeds) {
    this.#needs = needs
  }

  /** A write for the transaction that keeps what was said. */
  wanting(db: Db, { agentId, sessionKey, harness, contentHash }: Wanted): Write {
    const updatedAt = this.#needs.host.now().toISOString()
    afterCommit(db, () => this.#note({ agentId, sessionKey, harness: cleanHarness(harness) }))
    return wantingWritten(db, { agentId, sessionKey }, { wantedHash: contentHash, updatedAt })
  }

  /** What nobody was told of: left by a daemon that died, or not to be written at first. */
  async catchUp(): Promise<void> {
    const { db, background, host } = this.#needs
    const faults: unknown[] = []
    // Asked every few seconds and almost always in vain: the background's thread need not start for that.
    for (const session of await listBehind(db, behindAtOnce)) {
      if (this.#closing.signal.aborted) return
      try {
        await writeTranscript(this.#needs, session)
      } catch (error) {
        faults.push(error)
        await postpone(background, session, host.now().toISOString())
      }
    }
    if (faults.length > 0) throw faults[0]
  }

  /** Ends after the session that is being written. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#working
  }

  #note(session: Behind): void {
    if (this.#told.size >= mostTold || this.#closing.signal.aborted) return
    this.#told.set(JSON.stringify([session.agentId, session.sessionKey]), session)
    this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    const { signal } = this.#closing
    await this.#needs.host.sleep(soonMs, signal)
    for (const [key, session] of this.#told) {
      this.#told.delete(key)
      // What cannot be written now is found by the next look, which tells why.
      if (!signal.aborted) await writeTranscript(this.#needs, session).catch(() => undefined)
      await turn()
    }
    this.#working = undefined
  }
}
