import type { Evidence } from './evidence.ts'
import type { SearchIndex } from './index/search-index.ts'
import type { SoftMatch } from './pieces/soft-match.ts'
import type { Postings } from './postings/postings.ts'
import { remember, type Scene } from './ranking/scene.ts'
import { weigh, weights } from './ranking/weights.ts'
import { isSpaceless } from './text/terms.ts'
import { readWanted } from './text/traits.ts'

/** What the ranking is told of a question's evidence. */
export function toScene(
  index: SearchIndex,
  question: string,
  evidence: Evidence & { readonly soft: SoftMatch | undefined },
): Scene {
  const { columns, speakers, sessions } = index
  const { mask, hint, near, soft } = evidence
  const readable = (slot: number | undefined) =>
    slot !== undefined && mask[slot] === 1 ? slot : undefined
  const beside = remember((slot) => sessions.beside(slot))
  const vector = (slot: number) => near?.whole[slot] ?? 0
  const surroundings: Surroundings = {
    words: (slot) => columns.words.values[slot] ?? 0,
    before: (slot) => readable(beside(slot).before),
    after: (slot) => readable(beside(slot).after),
  }
  return {
    ...surroundings,
    ...readWords(index.words, evidence.terms, surroundings),
    vector,
    passage: (slot) => Math.max(near?.passage[slot] ?? 0, vector(slot)),
    hint: (slot) => hint[slot] ?? 0,
    soft: (slot) => soft?.normalised(slot) ?? 0,
    softCoverage: (slot) => soft?.coverage(slot) ?? 0,
    hintCoverage: createHintCoverage(index, evidence),
    isSure: near !== undefined && !isSpaceless(question),
    who: (slot) => speakers.nameOf(slot),
    isNamed: (slot) => evidence.named.has(columns.codes.who.values[slot] ?? 0),
    traits: (slot) => columns.traits.values[slot] ?? 0,
    wanted: readWanted(question),
    session: (slot) => columns.codes.session.values[slot] ?? 0,
    newestFirst: (slot, other) => index.oldestFirst(other, slot),
  }
}

type Surroundings = Pick<Scene, 'words' | 'before' | 'after'>

/** What is asked of an index of words about those that may answer. */
type WordCounts = Pick<Postings, 'rarityOf' | 'createCounter' | 'createScore' | 'lengthOf'>

/** Words by themselves, where what was said beside a short text lends it some of its own. */
function readWords(
  words: WordCounts,
  asked: readonly string[],
  { words: wordsOf, before, after }: Surroundings,
): Pick<Scene, 'lexical' | 'coverage'> {
  const terms = [...new Set(asked)]
  const countsOf = remember(words.createCounter(terms))
  const score = words.createScore(terms)
  const lexical = remember((slot) => {
    const lent = weigh(weights.lent, wordsOf(slot))
    const counts = new Float64Array(countsOf(slot))
    for (const near of [before(slot), after(slot)])
      if (near !== undefined) lend(counts, countsOf(near), lent)
    return score(counts, words.lengthOf(slot))
  })
  return { lexical, coverage: createCoverage(words, terms, countsOf) }
}

function lend(counts: Float64Array, others: Uint8Array, share: number): void {
  for (let place = 0; place < counts.length; place++)
    counts[place] = (counts[place] as number) + share * (others[place] as number)
}

function createHintCoverage({ hints }: SearchIndex, { hint, terms: asked }: Evidence) {
  const terms = [...new Set(asked)]
  const coverage = createCoverage(hints, terms, hints.createCounter(terms))
  return (slot: number) => ((hint[slot] ?? 0) > 0 ? coverage(slot) : 0)
}

/** The share of the question's terms that a slot holds, each as much as it is rare. */
function createCoverage(
  { rarityOf }: Pick<WordCounts, 'rarityOf'>,
  terms: readonly string[],
  countsOf: (slot: number) => Uint8Array,
) {
  const rarities = terms.map(rarityOf)
  const all = rarities.reduce((sum, rarity) => sum + rarity, 0)
  return (slot: number): number => {
    const counts = countsOf(slot)
    const held = rarities.reduce((sum, rarity, at) => sum + (counts[at] ? rarity : 0), 0)
    return all > 0 ? held / all : 0
  }
}
