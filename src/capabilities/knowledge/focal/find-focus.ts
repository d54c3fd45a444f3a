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
}

const maxFocal = 20

/** The entities that a text names, exact names first, then the most mentioned. */
export async function findFocus(
  db: Db,
  agentId: string,
  { phrases, words }: Pick<NameCandidates, 'phrases' | 'words'>,
): Promise<readonly Focus[]> {
  const byMentions = (a: { mentions: number; id: string }, b: { mentions: number; id: string }) =>
    b.mentions - a.mentions || (a.id < b.id ? -1 : 1)
  const exact = (await findNamed(db, agentId, phrases)).toSorted(byMentions)
  const partly = (await findByWords(db, agentId, words)).toSorted(byMentions)
  const exactIds = new Set(exact.map(({ id }) => id))
  const matches = Map.groupBy(
    [
      ...exact.map(({ id, phrase }) => ({ id, match: phrase })),
      ...partly.map(({ id, word }) => ({ id, match: word })),
    ],
    ({ id }) => id,
  )
  const matchesOf = (id: string) => (matches.get(id) ?? []).map(({ match }) => match)
  const focal = new Map(
    [...exact, ...partly].map(({ entityType, id, name }) => [
      id,
      { id, name, entityType, isExact: exactIds.has(id), matches: matchesOf(id) },
    ]),
  )
  return [...focal.values()].slice(0, maxFocal)
}
