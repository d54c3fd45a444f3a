import type { EngineAnswer, EngineCandidate, EngineQuery, SimilarQuery } from '../engine.ts'
import { createLapTimer } from '../lap-timer.ts'
import { toCandidates } from '../ranking/rank.ts'
import { createSoftMatch } from '../tokens/soft-match.ts'
import type { WordPieceTokens } from '../tokens/token-similarity.ts'
import { createCandidateSet } from './candidate-set.ts'
import { isVisible, type MaskRequest } from './columns/filter-mask.ts'
import { gatherEvidence } from './evidence.ts'
import type { SearchIndex } from './index/search-index.ts'
import { toRankingInput } from './to-ranking-input.ts'
import type { ScanHelper } from './vectors/helper/scan-helper.ts'

export interface SearchContext {
  readonly clock: () => number
  /** Without them only exact terms match. */
  readonly wordPieces?: WordPieceTokens | undefined
  /** Without it one thread scans all quantized vectors. */
  readonly helper?: ScanHelper | undefined
}

/** The candidates, and the duration of each step. */
export type SearchResult = Pick<
  EngineAnswer,
  'candidates' | 'corrections' | 'translations' | 'timings'
>

export function search(
  index: SearchIndex,
  query: EngineQuery,
  { clock, wordPieces, helper }: SearchContext,
): SearchResult {
  const watch = createLapTimer(clock)
  const mask = readMask(index, query)
  watch.lap('mask')
  const evidence = gatherEvidence(index, query, {
    mask,
    helper,
    tokenize: wordPieces?.tokenize,
    lap: watch.lap,
  })
  const candidateSet = createCandidateSet({ sessions: index.sessions, mask }, evidence.hits)
  const softMatch =
    wordPieces &&
    createSoftMatch(index.tokens, wordPieces.similarity, {
      queryTokens: evidence.words.flatMap(wordPieces.tokenize),
      slots: candidateSet.slots.slice(0, candidateSet.scoredCount),
    })
  watch.lap('likeness')
  const input = toRankingInput(index, query.text, {
    ...evidence,
    soft: softMatch,
    candidates: candidateSet,
  })
  const idOf = (position: number) => index.ids.at(candidateSet.slots[position] as number) ?? ''
  const candidates = toCandidates(input, idOf, query)
  watch.lap('ranking')
  const { corrections, translations } = evidence
  return { candidates, corrections, ...(query.explain && { translations }), timings: watch.laps }
}

/** Returns undefined if the memory is not visible or has no vector of this model. */
export function findSimilar(
  index: SearchIndex,
  query: SimilarQuery,
): readonly EngineCandidate[] | undefined {
  const slot = index.ids.slotOf(query.id)
  const space = index.spaces.get(query.identity)
  const vector = slot === undefined ? undefined : space?.vectorOf(slot)
  if (slot === undefined || !space || !vector) return undefined
  if (!isVisible(index.columns, query, slot)) return undefined
  const mask = Uint8Array.from(readMask(index, query))
  mask[slot] = 0
  const { nearest, cosinesOf } = space.search(vector, { mask, count: query.limit })
  const { whole } = cosinesOf(nearest.whole)
  return nearest.whole.map((hit, rank) => {
    const cosine = Math.min(1, whole[rank] ?? 0)
    const evidence = { lexical: 0, soft: 0, vector: cosine, hint: 0 }
    return { id: index.ids.at(hit) ?? '', score: cosine, source: 'vector', evidence }
  })
}

function readMask(
  index: SearchIndex,
  { ids, ...request }: MaskRequest & Pick<EngineQuery, 'ids'>,
): Uint8Array {
  const { filters } = request
  const mask = index.masks.read(request)
  const lists = [filters.ids, ids].filter((list) => list !== undefined)
  return lists.reduce((mask, list) => intersectIds(index, mask, list), mask)
}

function intersectIds(
  { ids: slotIds }: SearchIndex,
  mask: Uint8Array,
  ids: readonly string[],
): Uint8Array {
  const narrowed = new Uint8Array(mask.length)
  for (const id of ids) {
    const slot = slotIds.slotOf(id)
    if (slot !== undefined) narrowed[slot] = mask[slot] ?? 0
  }
  return narrowed
}
