import type { Db } from '../../kernel/db/database.ts'
import { executeBatch } from '../../kernel/db/execute-batch.ts'
import { listNewLines } from './merge.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { cleanTurn } from './parse/clean-turn.ts'
import {
  concurrentUpdate,
  mergeSessionFields,
  newTranscript,
  type SessionDetails,
} from './save-snapshot.ts'
import {
  archiveTranscriptQuery,
  type ChangedTranscript,
  findHeader,
  findTranscript,
  insertTranscript,
  updateTranscriptQuery,
} from './store/transcripts.ts'
import {
  boundContent,
  cleanHarness,
  hashContent,
  listLines,
  maxContentLength,
  removeTruncationMark,
  type SessionRef,
  type TranscriptHeader,
  type Turn,
  toLine,
  trimTarget,
} from './transcript.ts'

/** New turns of a running session. */
export interface LiveTurns extends SessionDetails {
  readonly turns: readonly Turn[]
}

type LiveNeeds = Pick<TranscriptsRuntime, 'host' | 'fileWriter'>

/** Retries after concurrent updates of the same session. */
const attempts = 20

/** Appends new turns to the transcript and queues its file. Reads only the tail of the content. */
export async function appendLive(
  needs: LiveNeeds,
  db: Db,
  { turns, ...session }: LiveTurns,
): Promise<void> {
  const lines = turns
    .map(cleanTurn)
    .filter(({ text }) => text !== '')
    .map(toLine)
  if (lines.length === 0) return
  for (let attempt = 0; attempt < attempts; attempt++) {
    // One more character shows where the first line begins.
    const tail = lines.join('\n').length + 1
    const stored = await findHeader(db, session, tail)
    const isSaved = stored
      ? await appendLines(needs, db, {
          storedHeader: stored,
          session,
          lines,
          isWhole: stored.length <= tail,
        })
      : await createTranscript(needs, db, { session, lines })
    if (isSaved) return
  }
  throw concurrentUpdate()
}

interface LiveLines {
  readonly session: SessionDetails
  readonly lines: readonly string[]
}

/** False after a concurrent update. */
async function createTranscript(
  { host, fileWriter }: LiveNeeds,
  db: Db,
  { session, lines }: LiveLines,
) {
  const content = boundContent(lines.join('\n'), false)
  const read = {
    content,
    contentHash: hashContent(content),
    format: 'live',
    sourcePath: null,
  } as const
  const now = host.now().toISOString()
  const transcript = newTranscript({ ...session, complete: false }, { ...read, redactions: 0 }, now)
  const isNew = await insertTranscript(db, transcript)
  if (isNew) await executeBatch(db, [fileWriter.markDirty(db, transcript)])
  return isNew
}

interface Continuation extends LiveLines {
  readonly storedHeader: TranscriptHeader
  /** Whether the tail is the complete content. */
  readonly isWhole: boolean
}

async function appendLines(
  { host, fileWriter }: LiveNeeds,
  db: Db,
  { storedHeader: stored, session, lines, isWhole }: Continuation,
): Promise<boolean> {
  const newLines = listNewLines(listWholeLines(stored.tail, isWhole), lines)
  const identity = {
    ...mergeSessionFields(stored, session),
    harness: cleanHarness(session.harness),
  }
  const added = newLines.map((line) => `\n${line}`).join('')
  const changed: ChangedTranscript =
    added === ''
      ? {}
      : await toContentChanges(host, db, { storedHeader: stored, session, addedText: added })
  const { contentHash = stored.contentHash } = changed
  const [updatedRows] = await executeBatch(db, [
    updateTranscriptQuery(db, stored, { ...identity, ...changed }),
    fileWriter.markDirty(db, { ...session, contentHash }),
  ])
  return updatedRows === 1
}

interface Addition {
  readonly storedHeader: TranscriptHeader
  readonly session: SessionDetails
  readonly addedText: string
}

async function toContentChanges(
  host: LiveNeeds['host'],
  db: Db,
  { storedHeader: stored, session, addedText: added }: Addition,
): Promise<ChangedTranscript> {
  const now = host.now().toISOString()
  const contentHash = hashContent(`${stored.contentHash}${added}`)
  const isFull = stored.length + added.length > maxContentLength
  return {
    ...(isFull
      ? { content: await trimContent(db, session, added), course: contentHash }
      : { addedText: added }),
    contentHash,
    sourceFormat: 'live',
    sourcePath: null,
    completedAt: null,
    capturedAt: now,
    updatedAt: now,
  }
}

/** The complete lines of a tail. */
function listWholeLines(tail: string, isWhole: boolean): readonly string[] {
  return isWhole ? listLines(tail) : tail.split('\n').slice(1)
}

/** The newest lines within the trim target. */
async function trimContent(db: Db, session: SessionDetails, addedText: string): Promise<string> {
  const stored = await findTranscript(db, session)
  return boundContent(
    `${removeTruncationMark(stored?.content ?? '')}${addedText}`,
    true,
    trimTarget,
  )
}

/**
 * Archives the transcript after a compaction, within the caller's transaction. Its file receives the
 * content; readers see it until the next snapshot replaces it.
 */
export async function archive(
  { host, fileWriter }: Pick<TranscriptsRuntime, 'host' | 'fileWriter'>,
  db: Db,
  session: SessionRef,
): Promise<void> {
  const transcript = await findHeader(db, session, 0)
  if (!transcript) return
  await executeBatch(db, [
    archiveTranscriptQuery(db, session, host.now().toISOString()),
    fileWriter.markDirty(db, transcript),
  ])
}
