import type { EngineQuery } from '../engine.ts'
import { bestOfEach } from '../ranking/weights.ts'
import { readAsked } from '../text/query.ts'
import type { SearchIndex } from './index/search-index.ts'
import type { Wanted } from './postings/max-score.ts'
import type { ScanHelper } from './vectors/helper/scan-helper.ts'
import type { Nearness } from './vectors/nearest-neighbours.ts'

/** What speaks for which slots. */
export interface Evidence {
  readonly mask: Uint8Array
  readonly terms: readonly string[]
  /** The words of the question without names and function words. */
  readonly words: readonly string[]
  /** Codes of those who are named in the question. */
  readonly named: ReadonlySet<number>
  readonly near: Nearness | undefined
  /** The code of whoever asks, and whether a hint of theirs holds one of the words. */
  readonly own: number
  readonly isHinted: boolean
  /** The best of each kind of evidence. */
  readonly best: readonly number[]
}

interface Gathering {
  readonly mask: Uint8Array
  readonly helper: ScanHelper | undefined
  readonly lap: (name: string) => void
}

export function gatherEvidence(
  index: SearchIndex,
  { text, vector, readScope, limit }: EngineQuery,
  { mask, helper, lap }: Gathering,
): Evidence {
  const findNear = vector && beginWithVectors(index, vector, helper)
  const named = index.speakers.findNamed(text, mask)
  const { terms, words } = readAsked(text, named.words)
  const wanted = { mask, count: Math.max(bestOfEach, limit) }
  const lexical = index.words.findBest(terms, wanted)
  const own = index.columns.dictionaries.agent.find(readScope.agentId)
  const hinted = findHinted(index, terms, { ...wanted, own })
  lap('words')
  const near = findNear?.(wanted)
  if (near) lap('vectors')
  const { whole = [], passage = [] } = near?.nearest ?? {}
  const best = [...lexical, ...whole, ...passage, ...hinted]
  const isHinted = hinted.length > 0
  return { mask, terms, words, named: named.codes, near, own, isHinted, best }
}

/** Of what whoever asks may read, only their own has hints for them. */
function findHinted(
  { hints, masks }: SearchIndex,
  terms: readonly string[],
  { mask, count, own }: Wanted & { readonly own: number },
): number[] {
  if (hints.count() === 0) return []
  return hints.findBest(terms, { mask: masks.readOwn(mask, own), count })
}

/** A space that is empty by now is none. */
function beginWithVectors(
  { spaces }: SearchIndex,
  { identity, values }: NonNullable<EngineQuery['vector']>,
  helper: ScanHelper | undefined,
): ((wanted: Wanted) => Nearness) | undefined {
  const space = spaces.get(identity)
  const fits = space?.dims === values.length && space.rows() > 0
  return fits ? space.beginSearch(values, helper) : undefined
}
