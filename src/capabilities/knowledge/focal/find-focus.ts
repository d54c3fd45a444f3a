import type { Db } from '../../../kernel/db/database.ts'
import { findByWords, findNamed } from '../store/focal.ts'
import type { NameCandidates } from './names-in-text.ts'

export interface Focus {
  readonly id: string
  readonly name: string
  readonly entityType: string
  /** Whether a name or an alias occurs as a whole. */
  readonly isExact: boolean
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
  const focal = new Map(
    [...exact, ...partly].map(({ entityType, id, name }) => [
      id,
      { id, name, entityType, isExact: exactIds.has(id) },
    ]),
  )
  return [...focal.values()].slice(0, maxFocal)
}
