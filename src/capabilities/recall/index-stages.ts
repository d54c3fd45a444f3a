import type { SearchRequest } from '../memory/index.ts'
import type { EngineQuery } from './engine/engine.ts'
import type { RecallNeeds } from './needs.ts'
import { hintCap } from './rank.ts'
import type { RecallRequest } from './schemas.ts'
import type { Scored } from './scored.ts'
import type { Stopwatch } from './stopwatch.ts'

/** A range of time with more memories than this is left to the database. */
const mostIds = 5000

/** What the question says, when it is asked, and who measures. */
export interface Question
  extends Pick<RecallRequest, 'query' | 'keywordQuery' | 'explain'>,
    Pick<EngineQuery, 'now'> {
  readonly stopwatch: Stopwatch
}

/** Either what the index found, or why it was of no help. */
type Indexed =
  | { readonly scored: readonly Scored[]; readonly hasVector: boolean }
  | { readonly cause: string }

type IndexNeeds = Pick<RecallNeeds, 'engine' | 'embeddings' | 'memory' | 'log'>

/** What the search engine knows of a question, by words and by meaning. */
export async function searchIndex(
  needs: IndexNeeds,
  question: Question,
  request: SearchRequest,
): Promise<Indexed> {
  const { engine, embeddings, memory, log } = needs
  const { state } = engine.health()
  if (state !== 'ready') return { cause: state === 'absent' ? 'no_index' : `index_${state}` }
  const ids = await listRange(needs, question, request)
  if (ids && ids.length > mostIds) return { cause: 'range_too_wide' }
  const { query, stopwatch } = question
  const made = await stopwatch.measure('embed', () => embeddings.embedQuery(query))
  const vector = made && { identity: made.identity, values: made.vector }
  try {
    const answer = await engine.search(toEngineQuery(question, request, { ids, vector }))
    if (answer.degraded) return { cause: answer.degraded }
    stopwatch.add(answer.timings)
    const { candidates } = answer
    const found = await stopwatch.measure('hydrate', () =>
      memory.search.listFound(
        candidates.map(({ id }) => id),
        request,
      ),
    )
    return { scored: toScored(candidates, found), hasVector: vector !== undefined }
  } catch (error) {
    // The database can still answer, and the reply says that it did.
    log.warn({ err: error }, 'the search index did not answer')
    return { cause: 'index_unavailable' }
  }
}

async function listRange(
  { memory }: IndexNeeds,
  { stopwatch }: Question,
  request: SearchRequest,
): Promise<readonly string[] | undefined> {
  if (!request.filters.during) return undefined
  return stopwatch.measure('range', () => memory.search.listIds({ ...request, limit: mostIds + 1 }))
}

function toEngineQuery(
  { query: text, keywordQuery, now, explain }: Question,
  { readScope, filters: { during, ...filters }, limit, asOf }: SearchRequest,
  within: Pick<EngineQuery, 'ids' | 'vector'>,
): EngineQuery {
  return { text, keywordQuery, now, explain, readScope, filters, limit, asOf, ...within }
}

type Candidates = Awaited<ReturnType<RecallNeeds['engine']['search']>>['candidates']
type Found = Scored['found']

/** What the index knows and the database does not show to this reader is no answer. */
function toScored(candidates: Candidates, found: readonly Found[]): Scored[] {
  const byId = new Map(found.map((one) => [one.memory.id, one]))
  return candidates.flatMap(({ id, score, source, stages = [] }) => {
    const one = byId.get(id)
    const capped = source === 'hint' ? Math.min(hintCap, score) : score
    return one ? [{ found: one, score: capped, source, stages }] : []
  })
}
