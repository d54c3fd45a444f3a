import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { isLinePrefix, mergeContents } from './merge.ts'
import type { TranscriptsNeeds, TranscriptsRuntime } from './needs.ts'
import { type ReadTranscript, readInput } from './read-input.ts'
import { findFileState } from './store/transcript-files.ts'
import { findTranscript, insertTranscript, updateTranscript } from './store/transcripts.ts'
import {
  boundContent,
  cleanHarness,
  hashContent,
  isTruncated,
  removeTruncationMark,
  type SessionRef,
  type Transcript,
} from './transcript.ts'

/** A session as its writer describes it. */
export interface SessionDetails extends SessionRef {
  readonly sessionId?: string | undefined
  readonly harness: string
  readonly project?: string | undefined
}

export interface Snapshot extends SessionDetails {
  /** The conversation; without it only the state changes. */
  readonly read?: ReadTranscript | undefined
  /** ISO; defaults to now. */
  readonly capturedAt?: string | undefined
  /** Whether the session has ended. */
  readonly complete: boolean
}

export interface SaveResult {
  readonly transcript: Transcript
  /**
   * `retained`: the stored content is longer and stays. `mismatch`: the stored content is complete and
   * differs, so it stays.
   */
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'retained' | 'mismatch'
}

/** Retries after concurrent updates of the same session. */
const attempts = 20

/**
 * Saves the longer of the stored and the incoming content, in the caller's transaction. Undefined when
 * both are empty. An incomplete change reopens a complete transcript.
 */
export async function saveSnapshot(
  { host }: Pick<TranscriptsNeeds, 'host'>,
  db: Db,
  snapshot: Snapshot,
): Promise<SaveResult | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const stored = await findTranscript(db, snapshot)
    const now = host.now().toISOString()
    const result = stored
      ? await change(db, stored, decide(await toStoredTranscript(db, stored), snapshot, now))
      : await create(db, snapshot, now)
    if (result !== 'conflict') return result
  }
  throw concurrentUpdate()
}

export function concurrentUpdate(): Refusal {
  return new Refusal('unavailable', 'database_busy', 'Concurrent update of this session; retry.')
}

interface StoredTranscript extends Transcript {
  /** Whether the file contains all archived content. */
  readonly isArchived: boolean
}

async function toStoredTranscript(db: Db, transcript: Transcript): Promise<StoredTranscript> {
  const { archivedAt, contentHash } = transcript
  const isWritten =
    archivedAt !== null && (await findFileState(db, transcript)).writtenHash === contentHash
  return { ...transcript, isArchived: isWritten }
}

async function create(db: Db, snapshot: Snapshot, now: string) {
  const { read } = snapshot
  if (!read || read.content === '') return undefined
  const transcript = newTranscript(snapshot, read, now)
  const isNew = await insertTranscript(db, transcript)
  return isNew ? ({ transcript, outcome: 'created' } as const) : 'conflict'
}

async function change(
  db: Db,
  storedTranscript: Transcript,
  { outcome, changes: changed }: Decision,
) {
  const isUnchanged = Object.keys(changed).length === 0
  if (!isUnchanged && !(await updateTranscript(db, storedTranscript, changed))) return 'conflict'
  return { transcript: { ...storedTranscript, ...changed }, outcome }
}

interface Decision {
  readonly outcome: SaveResult['outcome']
  readonly changes: Partial<Transcript>
}

function decide(storedTranscript: StoredTranscript, snapshot: Snapshot, now: string): Decision {
  const content = chooseContent(storedTranscript, snapshot)
  if (content.outcome === 'mismatch') return { outcome: 'mismatch', changes: {} }
  const { harness, complete } = snapshot
  const isNew = content.outcome === 'changed'
  const before = isNew ? null : storedTranscript.completedAt
  return {
    outcome: content.outcome,
    changes: {
      ...mergeSessionFields(storedTranscript, snapshot),
      harness: cleanHarness(harness),
      completedAt: complete ? (before ?? now) : before,
      ...(isNew && toContentChanges(storedTranscript, snapshot, { content: content.text, now })),
      ...(isNew && !content.isArchiveIncluded && { archivedAt: null }),
    },
  }
}

/** A new session id replaces the stored one; a stored project stays. */
export function mergeSessionFields(
  storedTranscript: Pick<Transcript, 'sessionId' | 'project'>,
  { sessionId, project }: SessionDetails,
) {
  return {
    sessionId: sessionId ?? storedTranscript.sessionId,
    project: storedTranscript.project ?? project ?? null,
  }
}

function toContentChanges(
  storedTranscript: Transcript,
  { read, capturedAt = '' }: Snapshot,
  { content, now }: { readonly content: string; readonly now: string },
) {
  const contentHash = read?.content === content ? read.contentHash : hashContent(content)
  return {
    content,
    contentHash,
    course: isLinePrefix(storedTranscript.content, content) ? storedTranscript.course : contentHash,
    sourceFormat: read?.format ?? 'normalized',
    sourcePath: read?.sourcePath ?? null,
    capturedAt: capturedAt || now,
    updatedAt: now,
  }
}

interface ContentChoice {
  readonly outcome: 'changed' | 'unchanged' | 'retained' | 'mismatch'
  readonly text: string
  /** Whether the text still contains archived content. */
  readonly isArchiveIncluded?: boolean
}

function chooseContent(storedTranscript: StoredTranscript, { read }: Snapshot): ContentChoice {
  const { content: before, completedAt, archivedAt } = storedTranscript
  const isSame = !read || read.content === '' || read.content === before
  if (isSame) return { outcome: 'unchanged', text: before }
  const { relation, text } = mergeContents(before, read.content)
  const isCut = isTruncated(before)
  if (relation === 'overlaps' || relation === 'extends')
    return { outcome: 'changed', text: boundContent(text, isCut) }
  if (archivedAt !== null) return chooseAfterCompaction(storedTranscript, read)
  const isLonger = read.content.length >= before.length
  if (relation === 'differs' && isLonger && (completedAt === null || isCut))
    return { outcome: 'changed', text: read.content }
  const isDifferent = relation === 'differs' && isLonger
  return { outcome: isDifferent ? 'mismatch' : 'retained', text: before }
}

/** Replaces archived content. Until the file contains it, the new lines follow it. */
function chooseAfterCompaction(
  storedTranscript: StoredTranscript,
  read: ReadTranscript,
): ContentChoice {
  const { content: before, isArchived: isWritten } = storedTranscript
  const incoming = removeTruncationMark(read.content)
  if (isWritten) return { outcome: 'changed', text: boundContent(incoming, true) }
  const text = boundContent(`${removeTruncationMark(before)}\n${incoming}`, isTruncated(before))
  return { outcome: 'changed', text, isArchiveIncluded: true }
}

export function newTranscript(
  snapshot: Omit<Snapshot, 'read'>,
  { content, contentHash, format, sourcePath }: ReadTranscript,
  now: string,
): Transcript {
  const { agentId, sessionKey, harness, complete } = snapshot
  return {
    agentId,
    sessionKey,
    content,
    contentHash,
    sourcePath,
    course: contentHash,
    sourceFormat: format,
    harness: cleanHarness(harness),
    sessionId: snapshot.sessionId ?? null,
    project: snapshot.project ?? null,
    capturedAt: snapshot.capturedAt ?? now,
    completedAt: complete ? now : null,
    archivedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

export interface Conversation {
  readonly agentId: string
  readonly sessionKey: string
  readonly project: string | null
  readonly text: string
}

const harness = 'manual'

/** Saves a whole conversation that no harness watches. Saving it twice stores it once. */
export async function saveConversation(
  needs: TranscriptsRuntime,
  { agentId, sessionKey, project, text }: Conversation,
): Promise<void> {
  const read = await readInput(needs, { harness, transcript: text })
  const session = { agentId, sessionKey, harness, project: project ?? undefined }
  await transaction(needs.db, (db) => saveSnapshot(needs, db, { ...session, read, complete: true }))
}
