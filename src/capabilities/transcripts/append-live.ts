import type { Db } from '../../kernel/db/database.ts'
import { type Kept, keepWith, type Session } from './keep-snapshot.ts'
import { listNews } from './merge.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { cleanTurn } from './parse/clean-turn.ts'
import {
  bound,
  isTruncated,
  linesIn,
  readLastTurns,
  type Transcript,
  type Turn,
  toLine,
} from './transcript.ts'

/** What was said last, as a harness tells it while the session goes on. */
export interface LiveTurns extends Session {
  /** In the order in which they were said. */
  readonly turns: readonly Turn[]
}

/** Adds what the transcript does not end with already. Undefined when nothing was said. */
export async function appendLive(
  needs: Pick<TranscriptsNeeds, 'host' | 'hygiene'>,
  db: Db,
  { turns: told, ...session }: LiveTurns,
): Promise<Kept | undefined> {
  const redact = needs.hygiene() !== 'off'
  const turns = told
    .map((turn) => cleanTurn(turn, { redact }))
    .map(({ role, text }): Turn => ({ role, text }))
    .filter(({ text }) => text !== '')
  if (turns.length === 0) return undefined
  return keepWith(needs, db, {
    session,
    snapshotFor: (stored) => ({ ...session, complete: false, read: readLive(stored, turns) }),
  })
}

function readLive(stored: Transcript | undefined, told: readonly Turn[]) {
  // What a compaction has put away is not gone on with.
  const before = stored?.archivedAt === null ? stored.content : ''
  const spoken = readLastTurns(before, told.length).map(toLine)
  const news = listNews(spoken, told.map(toLine))
  const lines = [linesIn(before), ...news].filter((text) => text !== '').join('\n')
  const truncated = stored !== undefined && (before === '' || isTruncated(before))
  return {
    ...({ redactions: 0, format: 'live', sourcePath: null } as const),
    content: bound(lines, truncated),
  }
}
