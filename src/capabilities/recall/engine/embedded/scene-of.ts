import type { SoftMatch } from '../pieces/soft-match.ts'
import { remember, type Scene } from '../ranking/scene.ts'
import { createCoverage, readWords, type Surroundings, type WordCounts } from '../ranking/words.ts'
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
  const slotAt = (place: number) => pool.slots[place] as number
  const { who, session } = columns.codes
  const neighbour = (places: Int32Array) => (place: number) =>
    places[place] === nobody ? undefined : places[place]
  const cosines = near?.cosinesOf(pool.slots)
  const vector = (place: number) => cosines?.whole[place] ?? 0
  const surroundings: Surroundings = {
    words: (place) => columns.words.values[slotAt(place)] ?? 0,
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
    who: (place) => speakers.nameOf(slotAt(place)),
    isNamed: (place) => known.named.has(who.values[slotAt(place)] ?? 0),
    traits: (place) => columns.traits.values[slotAt(place)] ?? 0,
    wanted: readWanted(question),
    session: (place) => session.values[slotAt(place)] ?? 0,
    terms: (place) => index.words.codesOf(slotAt(place)),
    newestFirst: (place, other) => index.oldestFirst(slotAt(other), slotAt(place)),
  }
}

function inPool(words: Postings, { slots }: Pool): WordCounts {
  return {
    ...words,
    createCounter: (terms) => {
      const countsOf = words.createCounter(terms)
      return (place) => countsOf(slots[place] as number)
    },
    lengthOf: (place) => words.lengthOf(slots[place] as number),
  }
}

/** Only their own agent is told of hints. */
function readHints(
  { hints, columns }: SearchIndex,
  { pool, isHinted, own, terms: asked }: Known,
): Pick<Scene, 'hint' | 'hintCoverage'> {
  if (!isHinted) return { hint: () => 0, hintCoverage: () => 0 }
  const terms = [...new Set(asked)]
  const words = inPool(hints, pool)
  const countsOf = words.createCounter(terms)
  const score = words.createScore(terms)
  const coverage = createCoverage(words, terms, countsOf)
  const agents = columns.codes.agent.values
  const hint = remember((place) =>
    agents[pool.slots[place] as number] === own ? score(countsOf(place), words.lengthOf(place)) : 0,
  )
  return { hint, hintCoverage: (place) => (hint(place) > 0 ? coverage(place) : 0) }
}
