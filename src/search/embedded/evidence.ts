import type { EngineQuery, Replacement } from '../engine.ts'
import { candidatesPerSignal } from '../ranking/weights.ts'
import { expandTerms, type TermGroup } from '../text/lexicon/expand-terms.ts'
import { parseQuery } from '../text/parse-query.ts'
import { stem } from '../text/terms.ts'
import type { SearchIndex } from './index/search-index.ts'
import type { TopKRequest } from './postings/max-score.ts'
import { listRelated } from './related.ts'
import type { Correction } from './spelling/spelling.ts'
import type { ScanHelper } from './vectors/helper/scan-helper.ts'
import type { NearestVectors } from './vectors/nearest-neighbours.ts'

/** The evidence collected for a query, by slot. */
export interface Evidence {
  readonly mask: Uint8Array
  readonly terms: readonly string[]
  /** The same, with the weights of terms that may replace each other. */
  readonly termGroups: readonly TermGroup[]
  /** Misspelt terms of the query, which `terms` and `words` have corrected. */
  readonly corrections: readonly Correction[]
  /** Terms of the query with terms of the same meaning. */
  readonly translations: readonly Replacement[]
  /** Query words without names and stop words, and English words in place of unknown ones. */
  readonly words: readonly string[]
  /** Codes of the speakers named in the question. */
  readonly namedSpeakers: ReadonlySet<number>
  readonly nearest: NearestVectors | undefined
  readonly vector: EngineQuery['vector']
  /** The code of the reader, and whether one of the reader's hints matches. */
  readonly ownAgent: number
  readonly isHinted: boolean
  /** The top-k slots of each signal, and the related ones. */
  readonly hits: readonly number[]
  /** Slots that share rare terms with the best one. */
  readonly related: ReadonlySet<number>
}

interface EvidenceOptions {
  readonly mask: Uint8Array
  readonly helper: ScanHelper | undefined
  /** The word pieces of a word; without them no word is known to be spelled correctly. */
  readonly tokenize?: ((word: string) => readonly number[]) | undefined
  readonly lap: (name: string) => void
}

export function gatherEvidence(
  index: SearchIndex,
  { text, vector, readScope, limit, withRelated = false }: EngineQuery,
  { mask, helper, tokenize, lap }: EvidenceOptions,
): Evidence {
  const nearestNeighbours = vector && startVectorSearch(index, vector, helper)
  const namedSpeakers = index.speakers.findNamed(text, mask)
  const parsed = parseQuery(text, namedSpeakers.words)
  const corrections = listCorrections(index, parsed.words, tokenize)
  const {
    groups: termGroups,
    english,
    replacements: translations,
  } = expandTerms(
    replaceTerms(parsed.terms, corrections),
    parsed.translations,
    (term) => index.words.vocabulary.frequencyOf(term) > 0,
  )
  const terms = termGroups.flat().map(({ term }) => term)
  const words = [...replaceTerms(parsed.words, corrections), ...english]
  const topKRequest = { mask, count: Math.max(candidatesPerSignal, limit) }
  const lexicalHits = index.words.topK(terms, topKRequest)
  const ownAgent = index.columns.dictionaries.agent.find(readScope.agentId)
  const related = withRelated ? listRelated(index.words, lexicalHits[0], topKRequest) : []
  const hintHits = searchHints(index, terms, { ...topKRequest, ownAgent })
  lap('words')
  const nearest = nearestNeighbours?.(topKRequest)
  if (nearest) lap('vectors')
  const { whole = [], passage = [] } = nearest?.nearest ?? {}
  const hits = [...lexicalHits, ...whole, ...passage, ...hintHits, ...related]
  const isHinted = hintHits.length > 0
  return {
    mask,
    terms,
    termGroups,
    words,
    corrections,
    translations,
    namedSpeakers: namedSpeakers.codes,
    nearest,
    vector,
    ownAgent,
    isHinted,
    hits,
    related: new Set(related),
  }
}

/** A word is spelled correctly if a hint has it, or if the model knows it as one piece. */
function listCorrections(
  { spelling, hints }: SearchIndex,
  words: readonly string[],
  tokenize: EvidenceOptions['tokenize'],
): readonly Correction[] {
  const unknown = words.filter(
    (word) => hints.vocabulary.frequencyOf(stem(word)) === 0 && tokenize?.(word).length !== 1,
  )
  return spelling.correct(unknown.map(stem))
}

function replaceTerms(terms: readonly string[], corrections: readonly Correction[]): string[] {
  if (corrections.length === 0) return [...terms]
  const byTerm = new Map(corrections.map(({ from, to }) => [from, to]))
  return terms.map((term) => byTerm.get(term) ?? byTerm.get(stem(term)) ?? term)
}

/** Searches hints of the reader only. */
function searchHints(
  { hints, masks }: SearchIndex,
  terms: readonly string[],
  { mask, count, ownAgent }: TopKRequest & { readonly ownAgent: number },
): number[] {
  if (hints.count() === 0) return []
  return hints.topK(terms, { mask: masks.ownMask(mask, ownAgent), count })
}

/** Returns undefined if the space is empty or has other dimensions. */
function startVectorSearch(
  { spaces }: SearchIndex,
  { identity, values }: NonNullable<EngineQuery['vector']>,
  helper: ScanHelper | undefined,
): ((topKRequest: TopKRequest) => NearestVectors) | undefined {
  const space = spaces.get(identity)
  const fits = space?.dims === values.length && space.rows() > 0
  return fits ? space.beginSearch(values, helper) : undefined
}
