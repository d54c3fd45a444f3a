import type { Db } from '../../kernel/db/database.ts'
import { type Kept, keepWith, type Session } from './keep-snapshot.ts'
import { listNews } from './merge.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { cleanTurn } from './parse/clean-turn.ts'
import { bound, isTruncated, linesIn, readLastTurns, type Turn, toLine } from './transcript.ts'
import { enqueueWriteOut } from './write-out.ts'

/** What was said last, as a harness tells it while the session goes on. */
export interface LiveTurns extends Session {
  /** In the order in which they were said. */
  readonly turns: readonly Turn[]
}

/** Adds what the transcript does not end with already, and soon to its file. Undefined when nothing was said. */
export async function appendLive(
  needs: Pick<TranscriptsNeeds, 'host' | 'hygiene' | 'jobs'>,
  db: Db,
  { turns: told, ...session }: LiveTurns,
): Promise<Kept | undefined> {
  const redact = needs.hygiene() !== 'off'
  const turns = told
    .map((turn) => cleanTurn(turn, { redact }))
    .map(({ role, text }): Turn => ({ role, text }))
    .filter(({ text }) => text !== '')
  if (turns.length === 0) return undefined
  const kept = await keepWith(needs, db, {
    session,
    snapshotFor: (stored) => ({
      ...session,
      complete: false,
      read: readLive(stored?.content, turns),
    }),
  })
  if (kept && kept.outcome !== 'unchanged') await enqueueWriteOut(needs, db, kept.transcript)
  return kept
}

function readLive(before = '', told: readonly Turn[]) {
  const spoken = readLastTurns(before, told.length).map(toLine)
  const news = listNews(spoken, told.map(toLine))
  const lines = [linesIn(before), ...news].filter((text) => text !== '').join('\n')
  return {
    ...({ redactions: 0, format: 'live', sourcePath: null } as const),
    content: bound(lines, isTruncated(before)),
  }
}
