import type { Db } from '../../kernel/db/database.ts'
import { executeBatch } from '../../kernel/db/execute-batch.ts'
import { cleanHarness } from './harness.ts'
import { describe, newTranscript, type Session, writtenByMany } from './keep-snapshot.ts'
import { listNews } from './merge.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { cleanTurn } from './parse/clean-turn.ts'
import {
  type ChangedTranscript,
  findOutline,
  findTranscript,
  insertTranscript,
  updatingTranscript,
} from './store/transcripts.ts'
import {
  bound,
  hashContent,
  linesIn,
  listLines,
  longestContent,
  type Outline,
  roomyContent,
  type Turn,
  toLine,
} from './transcript.ts'

/** What was said last, as a harness tells it while the session goes on. */
export interface LiveTurns extends Session {
  /** In the order in which they were said. */
  readonly turns: readonly Turn[]
}

type LiveNeeds = Pick<TranscriptsRuntime, 'host' | 'writeOut'>

/** Others may tell of the same session at once: each of them is waited out. */
const attempts = 20

/**
 * Adds what the transcript does not end with already, and soon to its file. Of a long one no more
 * than its end is read.
 */
export async function appendLive(
  needs: LiveNeeds,
  db: Db,
  { turns, ...session }: LiveTurns,
): Promise<void> {
  const told = turns
    .map(cleanTurn)
    .filter(({ text }) => text !== '')
    .map(toLine)
  if (told.length === 0) return
  for (let attempt = 0; attempt < attempts; attempt++) {
    // With what stands before it, so that no end of another line is taken for it.
    const ending = told.join('\n').length + 1
    const before = await findOutline(db, session, ending)
    const isKept = before
      ? await goOn(needs, db, { before, session, told, isWhole: before.length <= ending })
      : await begin(needs, db, { session, told })
    if (isKept) return
  }
  throw writtenByMany()
}

interface Telling {
  readonly session: Session
  readonly told: readonly string[]
}

/** False when somebody else was faster. */
async function begin({ host, writeOut }: LiveNeeds, db: Db, { session, told }: Telling) {
  const content = bound(told.join('\n'), false)
  const read = {
    content,
    contentHash: hashContent(content),
    format: 'live',
    sourcePath: null,
  } as const
  const now = host.now().toISOString()
  const transcript = newTranscript({ ...session, complete: false }, { ...read, redactions: 0 }, now)
  const isNew = await insertTranscript(db, transcript)
  if (isNew) await executeBatch(db, [writeOut.wanting(db, transcript)])
  return isNew
}

interface GoingOn extends Telling {
  readonly before: Outline
  /** Whether its ending is all of it. */
  readonly isWhole: boolean
}

async function goOn(
  { host, writeOut }: LiveNeeds,
  db: Db,
  { before, session, told, isWhole }: GoingOn,
): Promise<boolean> {
  const news = listNews(listLast(before.ending, isWhole), told)
  const known = { ...describe(before, session), harness: cleanHarness(session.harness) }
  const added = news.map((line) => `\n${line}`).join('')
  const changed: ChangedTranscript =
    added === '' ? {} : await add(host, db, { before, session, added })
  const { contentHash = before.contentHash } = changed
  const [kept] = await executeBatch(db, [
    updatingTranscript(db, before, { ...known, ...changed }),
    writeOut.wanting(db, { ...session, contentHash }),
  ])
  return kept === 1
}

interface Adding {
  readonly before: Outline
  readonly session: Session
  readonly added: string
}

async function add(
  host: LiveNeeds['host'],
  db: Db,
  { before, session, added }: Adding,
): Promise<ChangedTranscript> {
  const now = host.now().toISOString()
  const contentHash = hashContent(`${before.contentHash}${added}`)
  const isFull = before.length + added.length > longestContent
  return {
    ...(isFull ? { content: await cut(db, session, added), course: contentHash } : { added }),
    ...{ contentHash, sourceFormat: 'live', sourcePath: null, completedAt: null },
    ...{ capturedAt: now, updatedAt: now },
  }
}

/** The whole lines of an ending. */
function listLast(ending: string, isWhole: boolean): readonly string[] {
  return isWhole ? listLines(ending) : ending.split('\n').slice(1)
}

/** The newest of all that was said, with what came to it. */
async function cut(db: Db, session: Session, added: string): Promise<string> {
  const before = await findTranscript(db, session)
  return bound(`${linesIn(before?.content ?? '')}${added}`, true, roomyContent)
}
