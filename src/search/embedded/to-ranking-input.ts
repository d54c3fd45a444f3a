import { countWords, readWords, type WordCounts } from '../ranking/lexical.ts'
import { fill, type Scene } from '../ranking/ranking-input.ts'
import { isSpaceless } from '../text/terms.ts'
import { readWanted } from '../text/traits.ts'
import type { SoftMatch } from '../tokens/soft-match.ts'
import type { Pool } from './candidate-set.ts'
import type { Evidence } from './evidence.ts'
import type { SearchIndex } from './index/search-index.ts'
import type { Postings } from './postings/postings.ts'
import type { Nearness } from './vectors/nearest-neighbours.ts'

interface Known extends Evidence {
  readonly pool: Pool
  readonly soft: SoftMatch | undefined
}

/** What the ranking is told of a question's evidence: slots are numbered as they are in the pool. */
export function toScene(index: SearchIndex, question: string, known: Known): Scene {
  const { columns, speakers, sessions } = index
  const { near, soft, pool } = known
  const { ranked, counted, before, after } = pool
  const none = new Float64Array(counted)
  const who = Array.from(pick(columns.codes.who.values, pool))
  const words = pick(columns.words.values, pool)
  const slotAt = (place: number) => pool.slots[place] as number
  return {
    ...{ ranked, counted, before, after, words },
    ...readWords(inPool(index.words, pool), known.terms, { counted, before, after, words }),
    ...readHints(index, known),
    ...(near ? readCosines(near, pool) : { vector: none, passage: none }),
    soft: soft?.normalised ?? none,
    softCoverage: soft?.coverage ?? none,
    isSure: near !== undefined && !isSpaceless(question),
    who: who.map(speakers.nameOf),
    isNamed: who.map((code) => (known.named.has(code) ? 1 : 0)),
    traits: pick(columns.traits.values, pool),
    wanted: readWanted(question),
    session: fill(counted, (place) => sessions.numberOf(slotAt(place))),
    terms: (place) => index.words.codesOf(slotAt(place)),
    newestFirst: (place, other) => index.oldestFirst(slotAt(other), slotAt(place)),
  }
}

/** What is looked up in a row costs a part of what it does one by one: a column is longer than a cache. */
function pick(values: ArrayLike<number>, { slots, counted }: Pool): Int32Array {
  const picked = new Int32Array(counted)
  for (let place = 0; place < counted; place++)
    picked[place] = values[slots[place] as number] as number
  return picked
}

/** A text that is no longer than a passage is its own best. */
function readCosines(near: Nearness, { slots, counted }: Pool): Pick<Scene, 'vector' | 'passage'> {
  const { whole, passage } = near.cosinesOf(slots.slice(0, counted))
  return {
    vector: whole,
    passage: passage.map((best, place) => Math.max(best, whole[place] as number)),
  }
}

function inPool(words: Postings, pool: Pool): WordCounts {
  const lengths = fill(pool.counted, (place) => words.lengthOf(pool.slots[place] as number))
  return {
    ...words,
    countTerms: (terms) => words.countTerms(terms, pool.slots),
    lengthOf: (place) => lengths[place] as number,
  }
}

/** Only their own agent is told of hints. */
function readHints(
  { hints, columns }: SearchIndex,
  { pool, isHinted, own, terms: asked }: Known,
): Pick<Scene, 'hint' | 'hintCoverage'> {
  if (!isHinted) return { hint: new Float64Array(pool.counted), hintCoverage: () => 0 }
  const { score, coverage } = countWords(inPool(hints, pool), [...new Set(asked)])
  const agents = pick(columns.codes.agent.values, pool)
  const hint = fill(pool.counted, (place) => (agents[place] === own ? score(place) : 0))
  return { hint, hintCoverage: (place) => ((hint[place] as number) > 0 ? coverage(place) : 0) }
}
