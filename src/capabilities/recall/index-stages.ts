import type { EngineAnswer, EngineCandidate, EngineQuery } from '../../search/index.ts'
import type { SearchRequest } from '../memory/index.ts'
import { searchKeywords, toShares, weighKeywords } from './keyword-stage.ts'
import type { RecallNeeds } from './needs.ts'
import { hintCap } from './rank.ts'
import type { RecallRequest } from './schemas.ts'
import type { RankedBy, Scored } from './scored.ts'
import type { Stopwatch } from './stopwatch.ts'

/** A range of time with more memories than this is left to the database. */
const mostIds = 5000

/** What the question says, when it is asked, and who measures. */
export interface Question
  extends Pick<RecallRequest, 'query' | 'keywordQuery' | 'explain' | 'preferredProject'>,
    Pick<EngineQuery, 'now'> {
  readonly stopwatch: Stopwatch
}

/** Either what the index found, and why meaning did not count, or why it was of no help. */
type Indexed =
  | {
      readonly scored: readonly Scored[]
      /** Whether these are as many as were asked for. */
      readonly isFull: boolean
      readonly withoutVectors: string | undefined
    }
  | { readonly cause: string }

type IndexNeeds = Pick<RecallNeeds, 'engine' | 'embeddings' | 'memory' | 'config' | 'log'>

/** What the search engine knows of a question, by words and by meaning. */
export async function searchIndex(
  needs: IndexNeeds,
  question: Question,
  request: SearchRequest,
): Promise<Indexed> {
  const { engine, embeddings, config, log, memory } = needs
  const { state } = engine.health()
  if (state !== 'ready') return { cause: state === 'absent' ? 'no_index' : `index_${state}` }
  const range = await listRange(needs, question, request)
  if (range && range.length > mostIds) return { cause: 'range_too_wide' }
  const { query, stopwatch } = question
  const made = await stopwatch.measure('embed', () => embeddings.embedQuery(query))
  const vector = made && { identity: made.identity, values: made.vector }
  const { alpha } = config()
  try {
    const within = { ids: range, vector, alpha }
    const select = memory.search.listFoundLater(question.now, request)
    const answer = await engine.search({ ...toEngineQuery(question, request, within), select })
    if (answer.degraded) return { cause: answer.degraded }
    stopwatch.add(answer.timings)
    const scored = await score(needs, question, { ...answer, request, alpha })
    const isFull = answer.candidates.length >= request.limit
    return { scored, isFull, withoutVectors: vector ? answer.withoutVectors : 'no_vector' }
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
  { query: text, now, explain }: Question,
  { filters: { during, ...filters }, ...request }: SearchRequest,
  within: Pick<EngineQuery, 'ids' | 'vector' | 'alpha'>,
): EngineQuery {
  return { ...request, text, now, explain, filters, ...within }
}

interface Answered extends Pick<EngineAnswer, 'candidates' | 'selected'> {
  readonly request: SearchRequest
  readonly alpha: number
}

async function score(
  { memory: { search } }: IndexNeeds,
  { keywordQuery, stopwatch, now: at }: Question,
  { candidates, selected, request, alpha }: Answered,
): Promise<Scored[]> {
  const ids = candidates.map(({ id }) => id)
  const hydrating = selected
    ? search.toFoundLate(selected)
    : stopwatch.measure('hydrate', () => search.listFound({ ids, at }, request))
  if (keywordQuery === undefined) return toScored(candidates, await hydrating)
  const matching = stopwatch.measure('keywords', () =>
    searchKeywords(search, keywordQuery, request),
  )
  const [found, matched] = await Promise.all([hydrating, matching])
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]))
  const shares = toShares(matched)
  const all = new Map([...matched, ...found].map((one) => [one.memory.id, one]))
  return [...all].map(([id, found]) =>
    weighKeywords({ found, candidate: byId.get(id), share: shares.get(id) ?? 0 }, alpha),
  )
}

/** What the index knows and the database does not show to this reader is no answer. */
function toScored(
  candidates: EngineAnswer['candidates'],
  found: readonly Scored['found'][],
): Scored[] {
  const byId = new Map(found.map((one) => [one.memory.id, one]))
  return candidates.flatMap((candidate) => {
    const { id, source, evidence } = candidate
    const one = byId.get(id)
    const score = source === 'hint' ? Math.min(hintCap, candidate.score) : candidate.score
    const stages = toStages(candidate, score)
    return one ? [{ found: one, score, source, stages, likeness: evidence.soft }] : []
  })
}

function toStages({ source, stages = [] }: EngineCandidate, score: number): RankedBy[] {
  const isNamed = source !== 'hint' || stages.some(({ name }) => name === 'hint')
  const hint = { name: 'hint', score: 0, reason: 'a hint says no more than what is alike' }
  const reason = 'all of these, against the best row and by how sure that is'
  return [...stages, ...(isNamed ? [] : [hint]), { name: 'fused', score, reason }]
}
