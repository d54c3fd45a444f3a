import { mayRead, type ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { HooksNeeds } from '../needs.ts'
import type { ScoredMemory } from './select-memories.ts'

/** Predicted memories have a small budget. */
const maxMemories = 10
const maxCharacters = 600
const maxQueryLength = 400

/** Memories that match the last queries of the project, except those already injected. */
export async function predictMemories(
  { db, memory, recall }: Pick<HooksNeeds, 'db' | 'memory' | 'recall'>,
  scope: ReadScope,
  {
    queries,
    injected,
  }: { readonly queries: readonly string[]; readonly injected: readonly ScoredMemory[] },
): Promise<readonly ScoredMemory[]> {
  const text = queries.join(' ').slice(-maxQueryLength)
  if (text === '') return []
  const known = new Set(injected.map(({ memory: { id } }) => id))
  const hits = (await recall.searchLexical(scope, { text, limit: 2 * maxMemories })).filter(
    ({ id }) => !known.has(id),
  )
  const ids = hits.map(({ id }) => id)
  const byId = new Map((await memory.selection.listByIds(db, ids)).map((row) => [row.id, row]))
  const predicted: ScoredMemory[] = []
  let left = maxCharacters
  for (const { id, score } of hits) {
    const memory = byId.get(id)
    const isReadable = memory !== undefined && mayRead(scope, memory)
    if (!isReadable || memory.content.length > left || predicted.length === maxMemories) continue
    left -= memory.content.length
    predicted.push({ memory, score, source: 'predicted' })
  }
  return predicted
}
