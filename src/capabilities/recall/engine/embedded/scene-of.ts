import type { SoftMatch } from '../pieces/soft-match.ts'
import { remember, type Scene } from '../ranking/scene.ts'
import { countWords, readWords, type Surroundings, type WordCounts } from '../ranking/words.ts'
import { isSpaceless } from '../text/terms.ts'
import { readWanted } from '../text/traits.ts'
import type { Evidence } from './evidence.ts'
import type { SearchIndex } from './index/search-index.ts'
import { nobody } from './index/sessions.ts'
import type { Pool } from './pool.ts'
import type { Postings } from './postings/postings.ts'

interface Known extends Evidence {
  readonly pool: Pool
  readonly soft: SoftMatch | undefined
}

/** What the ranking is told of a question's evidence: slots are numbered as they are in the pool. */
export function toScene(index: SearchIndex, question: string, known: Known): Scene {
  const { columns, speakers } = index
  const { near, soft, pool } = known
  const [who, session] = [
    pick(columns.codes.who.values, pool),
    pick(columns.codes.session.values, pool),
  ]
  const [words, traits] = [pick(columns.words.values, pool), pick(columns.traits.values, pool)]
  const cosines = near?.cosinesOf(pool.slots)
  const vector = (place: number) => cosines?.whole[place] ?? 0
  const slotAt = (place: number) => pool.slots[place] as number
  const neighbour = (places: Int32Array) => (place: number) =>
    places[place] === nobody ? undefined : places[place]
  const surroundings: Surroundings = {
    words: (place) => words[place] ?? 0,
    before: neighbour(pool.before),
    after: neighbour(pool.after),
  }
  return {
    ...surroundings,
    ...readWords(inPool(index.words, pool), known.terms, surroundings),
    ...readHints(index, known),
    vector,
    passage: (place) => Math.max(cosines?.passage[place] ?? 0, vector(place)),
    soft: (place) => soft?.normalised[place] ?? 0,
    softCoverage: (place) => soft?.coverage[place] ?? 0,
    isSure: near !== undefined && !isSpaceless(question),
    who: (place) => speakers.nameOf(who[place] ?? 0),
    isNamed: (place) => known.named.has(who[place] ?? 0),
    traits: (place) => traits[place] ?? 0,
    wanted: readWanted(question),
    session: (place) => session[place] ?? 0,
    terms: (place) => index.words.codesOf(slotAt(place)),
    newestFirst: (place, other) => index.oldestFirst(slotAt(other), slotAt(place)),
  }
}

/** What is looked up in a row costs a part of what it does one by one: a column is longer than a cache. */
function pick(values: ArrayLike<number>, { slots }: Pool): Int32Array {
  const picked = new Int32Array(slots.length)
  for (let place = 0; place < slots.length; place++)
    picked[place] = values[slots[place] as number] as number
  return picked
}

function inPool(words: Postings, pool: Pool): WordCounts {
  const lengths = new Float64Array(pool.slots.length)
  for (let place = 0; place < lengths.length; place++)
    lengths[place] = words.lengthOf(pool.slots[place] as number)
  return {
    ...words,
    countTerms: (terms) => words.countTerms(terms, pool.slots),
    lengthOf: (place) => lengths[place] ?? 0,
  }
}

/** Only their own agent is told of hints. */
function readHints(
  { hints, columns }: SearchIndex,
  { pool, isHinted, own, terms: asked }: Known,
): Pick<Scene, 'hint' | 'hintCoverage'> {
  if (!isHinted) return { hint: () => 0, hintCoverage: () => 0 }
  const { score, coverage } = countWords(inPool(hints, pool), [...new Set(asked)])
  const agents = columns.codes.agent.values
  const hint = remember((place) => (agents[pool.slots[place] as number] === own ? score(place) : 0))
  return { hint, hintCoverage: (place) => (hint(place) > 0 ? coverage(place) : 0) }
}
