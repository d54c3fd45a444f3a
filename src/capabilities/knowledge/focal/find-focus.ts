import type { Db } from '../../../kernel/db/database.ts'
import { findByWords, findNamed } from '../store/focal.ts'
import type { NameCandidates } from './names-in-text.ts'

export interface Focus {
  readonly id: string
  readonly name: string
  readonly entityType: string
  /** Whether a name or an alias occurs as a whole. */
  readonly isExact: boolean
  /** The names, aliases or words of names that occur in the text. */
  readonly matches: readonly string[]
  /** Those of them that are aliases. */
  readonly aliases: readonly string[]
}

const maxFocal = 20

interface Match {
  readonly id: string
  readonly name: string
  readonly entityType: string
  readonly mentions: number
  readonly text: string
  readonly kind: 'name' | 'alias' | 'word'
}

/** The entities that a text names, exact names first, then the most mentioned. */
export async function findFocus(
  db: Db,
  agentId: string,
  { phrases, words }: Pick<NameCandidates, 'phrases' | 'words'>,
): Promise<readonly Focus[]> {
  const [exact, partly] = await Promise.all([
    findNamed(db, agentId, phrases),
    findByWords(db, agentId, words),
  ])
  const matches: readonly Match[] = [
    ...exact.map(({ phrase: text, ...row }) => ({ ...row, text })).toSorted(byMentions),
    ...partly
      .map(({ word: text, ...row }) => ({ ...row, text, kind: 'word' as const }))
      .toSorted(byMentions),
  ]
  return [...Map.groupBy(matches, ({ id }) => id).values()].slice(0, maxFocal).flatMap(toFocus)
}

function byMentions(a: Pick<Match, 'mentions' | 'id'>, b: Pick<Match, 'mentions' | 'id'>): number {
  return b.mentions - a.mentions || (a.id < b.id ? -1 : 1)
}

function toFocus(matches: readonly Match[]): Focus[] {
  const [first] = matches
  if (!first) return []
  const { id, name, entityType } = first
  return [
    {
      id,
      name,
      entityType,
      isExact: matches.some(({ kind }) => kind !== 'word'),
      matches: matches.map(({ text }) => text),
      aliases: matches.flatMap(({ kind, text }) => (kind === 'alias' ? [text] : [])),
    },
  ]
}
