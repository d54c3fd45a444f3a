import { mayRead, type ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { HooksNeeds } from '../needs.ts'
import type { Weighed } from './select-memories.ts'

/** A guess may not take the room of what is known to matter. */
const mostMemories = 10
const mostCharacters = 600
const mostWords = 400

/** What the words that were asked about last may lead to, beside what is told anyway. */
export async function predictMemories(
  { db, memory, recall }: Pick<HooksNeeds, 'db' | 'memory' | 'recall'>,
  scope: ReadScope,
  { queries, told }: { readonly queries: readonly string[]; readonly told: readonly Weighed[] },
): Promise<readonly Weighed[]> {
  const text = queries.join(' ').slice(-mostWords)
  if (text === '') return []
  const known = new Set(told.map(({ memory: { id } }) => id))
  const found = (await recall.searchLexical(scope, { text, limit: 2 * mostMemories })).filter(
    ({ id }) => !known.has(id),
  )
  const ids = found.map(({ id }) => id)
  const byId = new Map((await memory.selection.listByIds(db, ids)).map((row) => [row.id, row]))
  const predicted: Weighed[] = []
  let left = mostCharacters
  for (const { id, score } of found) {
    const memory = byId.get(id)
    const isReadable = memory !== undefined && mayRead(scope, memory)
    if (!isReadable || memory.content.length > left || predicted.length === mostMemories) continue
    left -= memory.content.length
    predicted.push({ memory, score, source: 'predicted' })
  }
  return predicted
}
