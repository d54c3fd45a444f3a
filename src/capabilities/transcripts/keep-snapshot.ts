import type { Db } from '../../kernel/db/database.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { cleanHarness } from './harness.ts'
import { isBeginning, mergeContents } from './merge.ts'
import type { TranscriptsNeeds } from './needs.ts'
import type { ReadTranscript } from './read-input.ts'
import { findTranscript, insertTranscript, updateTranscript } from './store/transcripts.ts'
import { findWritten } from './store/written.ts'
import {
  bound,
  hashContent,
  isTruncated,
  linesIn,
  type SessionRef,
  type Transcript,
} from './transcript.ts'

/** A session, as whoever writes of it knows it. */
export interface Session extends SessionRef {
  readonly sessionId?: string | undefined
  readonly harness: string
  readonly project?: string | undefined
}

export interface Snapshot extends Session {
  /** What was read of the conversation; absent, only its state changes. */
  readonly read?: ReadTranscript | undefined
  /** ISO; now unless said otherwise. */
  readonly capturedAt?: string | undefined
  /** Whether nothing more is expected. */
  readonly complete: boolean
}

export interface Kept {
  readonly transcript: Transcript
  /**
   * `kept`: what was there is longer and stays. `mismatch`: what was there is complete and tells
   * another course, so it stays as well.
   */
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'kept' | 'mismatch'
}

/** Others may write the same session at once: each of them is waited out. */
const attempts = 20

/**
 * Keeps the longer of what is there and what comes in, within the caller's transaction. Undefined when
 * there is neither. A change without completion makes a complete transcript open again.
 */
export async function keepSnapshot(
  { host }: Pick<TranscriptsNeeds, 'host'>,
  db: Db,
  snapshot: Snapshot,
): Promise<Kept | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const stored = await findTranscript(db, snapshot)
    const now = host.now().toISOString()
    const kept = stored
      ? await change(db, stored, decide(await toStored(db, stored), snapshot, now))
      : await create(db, snapshot, now)
    if (kept !== 'lost') return kept
  }
  throw writtenByMany()
}

export function writtenByMany(): Refusal {
  return new Refusal('unavailable', 'database_busy', 'The session is written by many at once.')
}

interface Stored extends Transcript {
  /** Whether its file holds all of what a compaction has put away. */
  readonly isWritten: boolean
}

async function toStored(db: Db, transcript: Transcript): Promise<Stored> {
  const { archivedAt, contentHash } = transcript
  const isWritten =
    archivedAt !== null && (await findWritten(db, transcript)).writtenHash === contentHash
  return { ...transcript, isWritten }
}

async function create(db: Db, snapshot: Snapshot, now: string) {
  const { read } = snapshot
  if (!read || read.content === '') return undefined
  const transcript = newTranscript(snapshot, read, now)
  const isNew = await insertTranscript(db, transcript)
  return isNew ? ({ transcript, outcome: 'created' } as const) : 'lost'
}

async function change(db: Db, stored: Transcript, { outcome, changed }: Decision) {
  const isNothing = Object.keys(changed).length === 0
  if (!isNothing && !(await updateTranscript(db, stored, changed))) return 'lost'
  return { transcript: { ...stored, ...changed }, outcome }
}

interface Decision {
  readonly outcome: Kept['outcome']
  readonly changed: Partial<Transcript>
}

function decide(stored: Stored, snapshot: Snapshot, now: string): Decision {
  const content = chooseContent(stored, snapshot)
  if (content.outcome === 'mismatch') return { outcome: 'mismatch', changed: {} }
  const { harness, complete } = snapshot
  const isNew = content.outcome === 'changed'
  const before = isNew ? null : stored.completedAt
  return {
    outcome: content.outcome,
    changed: {
      ...describe(stored, snapshot),
      harness: cleanHarness(harness),
      completedAt: complete ? (before ?? now) : before,
      ...(isNew && rewritten(stored, snapshot, { content: content.text, now })),
      ...(isNew && !content.isPutAway && { archivedAt: null }),
    },
  }
}

/** What is said anew, else what was known; a stored project stays. */
export function describe(
  stored: Pick<Transcript, 'sessionId' | 'project'>,
  { sessionId, project }: Session,
) {
  return { sessionId: sessionId ?? stored.sessionId, project: stored.project ?? project ?? null }
}

function rewritten(
  stored: Transcript,
  { read, capturedAt = '' }: Snapshot,
  { content, now }: { readonly content: string; readonly now: string },
) {
  const contentHash = read?.content === content ? read.contentHash : hashContent(content)
  return {
    ...{ content, contentHash },
    course: isBeginning(stored.content, content) ? stored.course : contentHash,
    sourceFormat: read?.format ?? 'normalized',
    sourcePath: read?.sourcePath ?? null,
    capturedAt: capturedAt || now,
    updatedAt: now,
  }
}

interface Chosen {
  readonly outcome: 'changed' | 'unchanged' | 'kept' | 'mismatch'
  readonly text: string
  /** Whether what a compaction has put away is still in it. */
  readonly isPutAway?: boolean
}

function chooseContent(stored: Stored, { read }: Snapshot): Chosen {
  const { content: before, completedAt, archivedAt } = stored
  const isSame = !read || read.content === '' || read.content === before
  if (isSame) return { outcome: 'unchanged', text: before }
  const { relation, text } = mergeContents(before, read.content)
  const isCut = isTruncated(before)
  if (relation === 'overlaps' || relation === 'extends')
    return { outcome: 'changed', text: bound(text, isCut) }
  if (archivedAt !== null) return chooseAfterCompaction(stored, read)
  const isLonger = read.content.length >= before.length
  if (relation === 'differs' && isLonger && (completedAt === null || isCut))
    return { outcome: 'changed', text: read.content }
  const isAnother = relation === 'differs' && isLonger
  return { outcome: isAnother ? 'mismatch' : 'kept', text: before }
}

/** What was put away gives way; until its file holds it, it stays before what is new. */
function chooseAfterCompaction(stored: Stored, read: ReadTranscript): Chosen {
  const { content: before, isWritten } = stored
  const told = linesIn(read.content)
  if (isWritten) return { outcome: 'changed', text: bound(told, true) }
  const text = bound(`${linesIn(before)}\n${told}`, isTruncated(before))
  return { outcome: 'changed', text, isPutAway: true }
}

/** The first that is heard of a session. */
export function newTranscript(
  snapshot: Omit<Snapshot, 'read'>,
  { content, contentHash, format, sourcePath }: ReadTranscript,
  now: string,
): Transcript {
  const { agentId, sessionKey, harness, complete } = snapshot
  return {
    ...{ agentId, sessionKey, content, contentHash, sourcePath },
    ...{ course: contentHash, sourceFormat: format },
    harness: cleanHarness(harness),
    sessionId: snapshot.sessionId ?? null,
    project: snapshot.project ?? null,
    capturedAt: snapshot.capturedAt ?? now,
    completedAt: complete ? now : null,
    ...{ archivedAt: null, createdAt: now, updatedAt: now },
  }
}
