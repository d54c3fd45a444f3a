import type { Found, SearchRequest } from '../memory/index.ts'
import type { RecallNeeds } from './needs.ts'
import { boostOf, toScored } from './rank.ts'
import { type Candidate, toRow } from './result.ts'
import type { RecallRequest } from './schemas.ts'
import { coverageOf, readWords, type Words } from './words.ts'

/** An expression that is longer than this is taken for what it is: no expression. */
const longestExpression = 4000

type FindNeeds = Pick<RecallNeeds, 'memory' | 'config' | 'host'>
export type Asked = Pick<RecallRequest, 'query' | 'keywordQuery' | 'minScore'>

/** What answers the words of a question, the best first. */
export async function find(
  { memory, config, host }: FindNeeds,
  asked: Asked,
  request: SearchRequest,
): Promise<Candidate[]> {
  const words = readWords(asked.query)
  const [direct, pieces, hints] = await Promise.all([
    searchDirect(memory.search, { ...asked, words }, request),
    words.pairs.length > 0 ? memory.search.searchPieces(words.pairs, request) : [],
    memory.search.searchHintWords(words.tokens, request),
  ])
  const knobs = config()
  const now = host.now()
  const lowest = Math.max(knobs.min_score, asked.minScore ?? 0)
  const stages = { direct, pieces, hints }
  return merge(stages, asked.keywordQuery === undefined ? words : undefined)
    .map(({ found, score, source }) => ({
      found,
      source,
      score: score * boostOf(toUse(found), now, knobs),
    }))
    .filter(({ score }) => score >= lowest)
    .toSorted(byScore)
    .map(({ found, score, source }) => ({
      row: toRow(found.memory, score, source),
      memory: found.memory,
    }))
}

async function searchDirect(
  search: RecallNeeds['memory']['search'],
  { keywordQuery, words }: Asked & { readonly words: Words },
  request: SearchRequest,
): Promise<readonly Found[]> {
  if (keywordQuery === undefined) return search.searchWords(words.tokens, request)
  if (keywordQuery.length <= longestExpression) {
    const found = await search.searchExpression(keywordQuery, request)
    if (found) return found
  }
  return search.searchWords(readWords(keywordQuery).tokens, request)
}

interface Stages {
  readonly direct: readonly Found[]
  readonly pieces: readonly Found[]
  readonly hints: readonly Found[]
}

/** Each memory once, with the evidence of every stage that found it. */
function merge({ direct, pieces, hints }: Stages, words: Words | undefined) {
  const stages = [direct, pieces, hints].map(toShares)
  const all = new Map([...hints, ...pieces, ...direct].map((found) => [found.memory.id, found]))
  const [best] = direct.length > 0 ? direct : pieces
  const coverage = words && best ? coverageOf(words, best.memory.content) : 1
  return [...all.values()].map((found) => {
    const [words = 0, parts = 0, hint = 0] = stages.map((shares) => shares.get(found.memory.id))
    return { found, ...toScored({ text: Math.max(words, parts), hint }, coverage) }
  })
}

/** Magnitudes mean nothing across questions: they count in proportion to the best of the stage. */
function toShares(stage: readonly Found[]): ReadonlyMap<string, number> {
  const best = Math.max(...stage.map(({ magnitude }) => magnitude))
  return new Map(stage.map(({ memory, magnitude }) => [memory.id, best > 0 ? magnitude / best : 0]))
}

function toUse({ memory, accessCount, lastAccessed }: Found) {
  return { createdAt: memory.createdAt, accessCount, lastAccessed }
}

function byScore(
  a: { readonly found: Found; readonly score: number },
  b: { readonly found: Found; readonly score: number },
): number {
  if (a.score !== b.score) return b.score - a.score
  const [one, other] = [a.found.memory, b.found.memory]
  return other.createdAt.localeCompare(one.createdAt) || one.id.localeCompare(other.id)
}
