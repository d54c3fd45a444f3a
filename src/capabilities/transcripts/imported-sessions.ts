import type { Db } from '../../kernel/db/database.ts'
import type { ReadTranscript } from './read-input.ts'
import { newTranscript } from './save-snapshot.ts'
import {
  type CapturedFilter,
  deleteImportedTranscripts,
  listCapturedSessions,
} from './store/imported.ts'
import { findTranscript, insertTranscript } from './store/transcripts.ts'
import { readContent, type SessionRef, type Transcript, type Turn } from './transcript.ts'

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

/** Sessions that come from an import, found by every search of sessions. */
export function createImportedSessions() {
  return {
    /** Returns the session key; null without a turn. */
    save: saveImported,
    /** Deletes sessions that an import has stored, and no others. */
    delete: deleteImportedTranscripts,
    findCaptured: async (db: Db, session: SessionRef) => {
      const found = await findTranscript(db, session)
      return found && found.sourceFormat !== 'import' ? toCaptured(found) : undefined
    },
    /** In the order of their beginning, then of the bytes of their keys. */
    listCaptured: async function* (db: Db, filter: CapturedFilter) {
      for (let after = filter.after; ; ) {
        const page = await listCapturedSessions(db, { ...filter, after })
        for (const session of page) {
          const found = await findTranscript(db, session)
          if (found) yield toCaptured(found)
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

async function saveImported(db: Db, imported: ImportedSession): Promise<string | null> {
  const { agentId, harness, project, at, keys, read } = imported
  if (!read || read.content === '') return null
  for (const sessionKey of keys) {
    const session = { agentId, sessionKey, harness, capturedAt: at, complete: true }
    const transcript = newTranscript(session, { ...read, format: 'import' }, at)
    if (await insertTranscript(db, { ...transcript, project })) return sessionKey
  }
  return null
}
