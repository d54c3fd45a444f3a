import { isStopWord } from '../../stop-words.ts'
import type { EngineQuery } from '../engine.ts'
import type { SearchIndex } from './index/search-index.ts'
import { fold, readTerms } from './text/terms.ts'
import type { Nearness } from './vectors/vector-space.ts'

const operators = /\b(?:AND|OR|NOT|NEAR)\b/g

/** What speaks for each slot; 0 for those that may not answer. */
export interface Evidence {
  readonly mask: Uint8Array
  readonly terms: readonly string[]
  readonly lexical: Float32Array
  readonly hint: Float32Array
  readonly near: Nearness | undefined
  /** The words of the question without names and function words. */
  readonly words: readonly string[]
  /** Codes of those who are named in the question. */
  readonly named: ReadonlySet<number>
}

interface Gathering {
  readonly mask: Uint8Array
  readonly lap: (name: string) => void
}

export function gatherEvidence(
  index: SearchIndex,
  { text, keywordQuery, vector, readScope }: EngineQuery,
  { mask, lap }: Gathering,
): Evidence {
  const named = index.speakers.findNamed(text, mask)
  const { terms, words } = readAsked({ text, keywordQuery }, named.words)
  const lexical = keepMasked(index.words.score(terms), mask)
  const hint = keepMasked(index.hints.score(terms), mask)
  const own = index.columns.dictionaries.agent.find(readScope.agentId)
  const agents = index.columns.codes.agent.values
  for (let slot = 0; slot < hint.length; slot++) if (agents[slot] !== own) hint[slot] = 0
  lap('words')
  const near = vector && searchVectors(index, vector, mask)
  if (near) lap('vectors')
  return { mask, terms, lexical, hint, near, words, named: named.codes }
}

/** A space that is empty by now is none. */
function searchVectors(
  { spaces }: SearchIndex,
  { identity, values }: NonNullable<EngineQuery['vector']>,
  mask: Uint8Array,
): Nearness | undefined {
  const space = spaces.get(identity)
  const fits = space?.dims === values.length && space.rows() > 0
  return fits ? space.search(values, mask) : undefined
}

interface Asked {
  readonly terms: readonly string[]
  /** Without names and function words. */
  readonly words: readonly string[]
}

/**
 * A name says who is meant: what was said is found by the other words. Where a question is nothing
 * but names, they are what is looked for.
 */
function readAsked(
  { text, keywordQuery }: Pick<EngineQuery, 'text' | 'keywordQuery'>,
  names: ReadonlySet<string>,
): Asked {
  const asked = keywordQuery?.replaceAll(operators, ' ') ?? text
  const words = [...(fold(asked).match(/[\p{L}\p{N}\p{M}']+/gu) ?? [])]
  const isName = (word: string) => names.has(word.replace(/'s?$/, ''))
  const others = words.filter((word) => !isName(word))
  const kept = readTerms(others.join(' ')).length > 0 ? others : words
  return { terms: readTerms(kept.join(' ')), words: kept.filter((word) => !isStopWord(word)) }
}

function keepMasked(scores: Float32Array, mask: Uint8Array): Float32Array {
  for (let slot = 0; slot < scores.length; slot++) if (mask[slot] !== 1) scores[slot] = 0
  return scores
}
