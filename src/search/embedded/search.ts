import type { EngineCandidate, EngineQuery, SimilarQuery } from '../engine.ts'
import { createLapTimer } from '../lap-timer.ts'
import { toCandidates } from '../ranking/rank.ts'
import { createSoftMatch } from '../tokens/soft-match.ts'
import type { Pieces } from '../tokens/word-pieces.ts'
import { createPool } from './candidate-set.ts'
import { isInSight, type MaskRequest } from './columns/filter-mask.ts'
import { gatherEvidence } from './evidence.ts'
import type { SearchIndex } from './index/search-index.ts'
import { toScene } from './to-ranking-input.ts'
import type { ScanHelper } from './vectors/helper/scan-helper.ts'

export interface Searching {
  readonly clock: () => number
  /** Without them words are compared as they are written only. */
  readonly pieces?: Pieces | undefined
  /** Without it one thread reads all sketches of vectors. */
  readonly helper?: ScanHelper | undefined
}

/** What was found, and how long each part of the search took. */
export interface Found {
  readonly candidates: readonly EngineCandidate[]
  readonly timings: readonly { readonly name: string; readonly durationMs: number }[]
}

export function search(
  index: SearchIndex,
  query: EngineQuery,
  { clock, pieces, helper }: Searching,
): Found {
  const watch = createLapTimer(clock)
  const mask = readMask(index, query)
  watch.lap('mask')
  const evidence = gatherEvidence(index, query, { mask, helper, lap: watch.lap })
  const pool = createPool({ sessions: index.sessions, mask }, evidence.best)
  const soft =
    pieces &&
    createSoftMatch(index.pieces, pieces.likeness, {
      asked: evidence.words.flatMap(pieces.read),
      slots: pool.slots.slice(0, pool.counted),
    })
  watch.lap('likeness')
  const scene = toScene(index, query.text, { ...evidence, soft, pool })
  const idOf = (place: number) => index.ids.at(pool.slots[place] as number) ?? ''
  const candidates = toCandidates(scene, idOf, query)
  watch.lap('ranking')
  return { candidates, timings: watch.laps }
}

/** Undefined where the memory is out of sight, or has no vector of this identity. */
export function findSimilar(
  index: SearchIndex,
  query: SimilarQuery,
): readonly EngineCandidate[] | undefined {
  const slot = index.ids.slotOf(query.id)
  const space = index.spaces.get(query.identity)
  const vector = slot === undefined ? undefined : space?.vectorOf(slot)
  if (slot === undefined || !space || !vector) return undefined
  if (!isInSight(index.columns, query, slot)) return undefined
  const mask = Uint8Array.from(readMask(index, query))
  mask[slot] = 0
  const { nearest, cosinesOf } = space.search(vector, { mask, count: query.limit })
  const { whole } = cosinesOf(nearest.whole)
  return nearest.whole.map((near, at) => {
    const cosine = Math.min(1, whole[at] ?? 0)
    const evidence = { lexical: 0, soft: 0, vector: cosine, hint: 0 }
    return { id: index.ids.at(near) ?? '', score: cosine, source: 'vector', evidence }
  })
}

function readMask(
  index: SearchIndex,
  { ids, ...request }: MaskRequest & Pick<EngineQuery, 'ids'>,
): Uint8Array {
  const { filters } = request
  const mask = index.masks.read(request)
  const lists = [filters.ids, ids].filter((list) => list !== undefined)
  return lists.reduce((mask, list) => keepOnly(index, mask, list), mask)
}

function keepOnly(
  { ids: known }: SearchIndex,
  mask: Uint8Array,
  ids: readonly string[],
): Uint8Array {
  const kept = new Uint8Array(mask.length)
  for (const id of ids) {
    const slot = known.slotOf(id)
    if (slot !== undefined) kept[slot] = mask[slot] ?? 0
  }
  return kept
}
