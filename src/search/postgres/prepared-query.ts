import type { EngineQuery, Replacement } from '../engine.ts'
import { createLengthNorm, idf } from '../ranking/lexical.ts'
import { candidatesPerSignal } from '../ranking/weights.ts'
import { expandTerms, type TermGroup } from '../text/lexicon/expand-terms.ts'
import { parseQuery } from '../text/parse-query.ts'
import { queryNameWords } from '../text/query.ts'
import { termWeight } from '../text/terms.ts'
import type { WordPieceTokens } from '../tokens/token-similarity.ts'
import type { CandidateRequest } from './store/candidates.ts'
import type { CorpusStats, StatsRequest } from './store/corpus-stats.ts'
import type { NearVector } from './store/nearest.ts'
import { toText } from './store/vectors.ts'

/** Some sentences in scripts without spaces have this many terms. */
const maxSearchTerms = 256

/** Texts with only common terms rarely reach the top k. */
const defaultScannedRows = 4000
/** Each scanned row is compared with each term. */
const maxTermComparisons = 256_000

/** A query with its named speakers and corpus statistics. */
export interface PreparedQuery {
  readonly query: EngineQuery
  readonly stats: CorpusStats
  /** Distinct terms with their alternatives. */
  readonly termGroups: readonly TermGroup[]
  /** Terms of the query with terms of the same meaning. */
  readonly translations: readonly Replacement[]
  /** Terms that the index has, rarest first; long queries are cut. */
  readonly searchTerms: readonly string[]
  readonly queryTokens: readonly number[]
  /** Named speakers. */
  readonly namedSpeakers: ReadonlySet<string>
  readonly nearVector: NearVector | undefined
}

/** The statistics that the query needs. */
export function toStatsRequest(
  query: Omit<EngineQuery, 'now'>,
  tokenize: WordPieceTokens['tokenize'],
): StatsRequest {
  const { terms, words, translations } = parseQuery(query.text, new Set())
  return {
    request: query,
    terms: [
      ...new Set([
        ...terms,
        ...translations.flatMap(({ synonyms, foreign }) => [...synonyms, ...foreign]),
      ]),
    ],
    queryTokens: [
      ...new Set([...words, ...translations.flatMap((one) => one.english)].flatMap(tokenize)),
    ],
    nameWords: queryNameWords(query.text),
    identity: query.vector?.identity,
  }
}

export function prepareQuery(
  query: EngineQuery,
  stats: CorpusStats,
  tokenize: WordPieceTokens['tokenize'],
): PreparedQuery {
  const { names, documentFrequency } = stats
  const { terms, words, translations } = parseQuery(
    query.text,
    new Set(names.map(([word]) => word)),
  )
  const { vector } = query
  const hasTerm = (term: string) =>
    documentFrequency('words', term) + documentFrequency('hints', term) > 0
  const { groups: termGroups, english, replacements } = expandTerms(terms, translations, hasTerm)
  const searchTerms = [...new Set(termGroups.flat().map(({ term }) => term))]
    .filter(hasTerm)
    .toSorted((a, b) => documentFrequency('words', a) - documentFrequency('words', b))
    .slice(0, maxSearchTerms)
  return {
    query,
    stats,
    searchTerms,
    termGroups,
    translations: replacements,
    queryTokens: [...words, ...english].flatMap(tokenize),
    namedSpeakers: new Set(names.map(([, who]) => who)),
    nearVector:
      vector && stats.hasVectors(vector.values.length)
        ? {
            identity: vector.identity,
            text: toText(vector.values),
            dims: vector.values.length,
          }
        : undefined,
  }
}

/** Only rows with one of the rarest terms are scanned. */
export function toCandidateRequest(
  { query, stats, searchTerms: terms, nearVector }: PreparedQuery,
  maxScannedRows = defaultScannedRows,
): CandidateRequest {
  const idfs = (field: 'words' | 'hints') => terms.map((term) => idfOfTerm(stats, field, term))
  const lengthNorms = (field: 'words' | 'hints') =>
    createLengthNorm(stats.texts(field).averageLength)
  const rowCount = Math.min(maxScannedRows, maxTermComparisons / terms.length)
  const selectedTerms = (field: 'words' | 'hints') =>
    rarestTerms(stats, { field, terms, maxScannedRows: rowCount })
  return {
    mask: query,
    terms,
    nearVector,
    selectedTerms: { words: selectedTerms('words'), hints: selectedTerms('hints') },
    idfs: { words: idfs('words'), hints: idfs('hints') },
    lengthNorms: { words: lengthNorms('words'), hints: lengthNorms('hints') },
    count: Math.max(candidatesPerSignal, query.limit),
  }
}

interface RarestTermsOptions {
  readonly field: 'words' | 'hints'
  readonly terms: readonly string[]
  readonly maxScannedRows: number
}

/** Selects the rarest terms until enough rows contain one. */
function rarestTerms(
  { documentFrequency }: Pick<CorpusStats, 'documentFrequency'>,
  { field, terms, maxScannedRows }: RarestTermsOptions,
): string[] {
  const selectedTerms: string[] = []
  let rowCount = 0
  for (const term of terms.toSorted(
    (a, b) => documentFrequency(field, a) - documentFrequency(field, b),
  )) {
    const texts = documentFrequency(field, term)
    if (texts === 0 || rowCount >= maxScannedRows) continue
    selectedTerms.push(term)
    rowCount += texts
  }
  return selectedTerms
}

export function idfOfTerm(
  { documentFrequency, texts }: Pick<CorpusStats, 'documentFrequency' | 'texts'>,
  field: 'words' | 'hints',
  term: string,
): number {
  return (
    termWeight(term) *
    idf({ documentFrequency: documentFrequency(field, term), documentCount: texts(field).count })
  )
}
