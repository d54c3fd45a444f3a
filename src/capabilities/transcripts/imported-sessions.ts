import type { Db } from '../../kernel/db/database.ts'
import type { ReadTranscript } from './read-input.ts'
import { newTranscript } from './save-snapshot.ts'
import {
  type CapturedFilter,
  deleteImportedTranscripts,
  findCapturedTranscripts,
  listCapturedSessions,
} from './store/imported.ts'
import { findTranscript, insertTranscripts } from './store/transcripts.ts'
import { readContent, type Transcript, type Turn } from './transcript.ts'

/** A session that this daemon captured itself. */
export interface CapturedSession
  extends Pick<Transcript, 'agentId' | 'sessionKey' | 'harness' | 'project' | 'createdAt'> {
  readonly turns: readonly Turn[]
}

interface ImportedSession {
  readonly agentId: string
  readonly harness: string
  readonly project: string | null
  /** ISO: when the conversation took place. */
  readonly at: string
  /** Session keys; the first one that is free is used. */
  readonly keys: readonly string[]
  /** The cleaned text; undefined without a turn. */
  readonly read: ReadTranscript | undefined
}

/** Imported sessions, which every search of sessions includes. */
export function createImportedSessions() {
  return {
    /** Returns the session key of each; null without a turn. */
    save: saveImported,
    /** Deletes sessions that an import has stored, and no others. */
    delete: deleteImportedTranscripts,
    /** Sessions with these keys that no import has stored. */
    findCaptured: async (db: Db, agentId: string, sessionKeys: readonly string[]) =>
      (await findCapturedTranscripts(db, agentId, sessionKeys)).map(toCaptured),
    /** In the order of their beginning, then of the bytes of their keys. */
    listCaptured: async function* (db: Db, filter: CapturedFilter) {
      for (let after = filter.after; ; ) {
        const page = await listCapturedSessions(db, { ...filter, after })
        for (const session of page) {
          const transcript = await findTranscript(db, session)
          if (transcript) yield toCaptured(transcript)
        }
        after = page.at(-1)
        if (page.length < filter.limit) return
      }
    },
  }
}

function toCaptured({ content, ...transcript }: Transcript): CapturedSession {
  const { agentId, sessionKey, harness, project, createdAt } = transcript
  return { agentId, sessionKey, harness, project, createdAt, turns: readContent(content) }
}

async function saveImported(
  db: Db,
  imported: readonly ImportedSession[],
): Promise<readonly (string | null)[]> {
  const keys = new Map<ImportedSession, string>()
  const rounds = Math.max(0, ...imported.map((one) => one.keys.length))
  for (let round = 0; round < rounds; round++) {
    const waiting = imported.filter((one) => !keys.has(one) && one.keys.length > round)
    const rows = waiting.map((one) => toTranscript(one, one.keys[round] ?? ''))
    const free = await insertTranscripts(
      db,
      rows.flatMap((row) => row ?? []),
    )
    // Among equal keys, the first has it.
    for (const [at, one] of waiting.entries())
      if (rows[at] && free.delete(rows[at].sessionKey)) keys.set(one, rows[at].sessionKey)
  }
  return imported.map((one) => keys.get(one) ?? null)
}

function toTranscript(
  { agentId, harness, project, at, read }: ImportedSession,
  sessionKey: string,
): Transcript | undefined {
  if (!read || read.content === '') return undefined
  const session = { agentId, sessionKey, harness, capturedAt: at, complete: true }
  return { ...newTranscript(session, { ...read, format: 'import' }, at), project }
}
