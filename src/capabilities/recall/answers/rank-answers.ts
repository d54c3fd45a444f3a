import { readContentTerms, readTerms, type VectorKind } from '../../../search/index.ts'
import { createTypeTest } from './answer-type.ts'
import { demoteLater, dropBeforeClause } from './before-clause.ts'
import { estimateConfidence } from './confidence.ts'
import {
  bestPassageShare,
  coverSpecificTerms,
  createPartialTest,
  findMissingWeight,
} from './coverage.ts'
import { isListQuestion, preferDiverse } from './diversity.ts'
import { adjust, type Draft, maxCompared, type RankedHit, toHits } from './draft.ts'
import type { Adjustment, AnswerHit } from './hit.ts'
import { createOwnerTest } from './owner.ts'
import { preferNewest } from './prefer-newest.ts'
import { readSpecificTerms, type SpecificTerm } from './specific-terms.ts'
import { readTense } from './tense-words.ts'
import type { TextSimilarity } from './text-similarity.ts'
import type { TimeRange } from './time-range.ts'
import { createOtherMonthTest, isFrom, preferTime } from './time-relevance.ts'

/** A text without any of the specific terms loses this share of its score. */
const coveragePenalty = 0.6
/** The share of its score that a text without the kind of value that the query needs keeps. */
const mistypedScoreShare = 0.8
/** A text that lacks words which another has loses this share of its score for all words. */
const incompletePenalty = 0.5
const minMissing = 0.25
const minLongLength = 600
const minComplete = 0.9
/** The coverage of a question that names only a time. */
const timeEvidence = 0.8
/** The margin of a single hit. */
const defaultMargin = 0.2
/** The margin of a row in a question for several things. */
const minListMargin = 0.3

export interface AnswerQuestion {
  readonly query: string
  /** The time that the query names. */
  readonly range: TimeRange | undefined
  /** Misspelt terms of the query with the terms that were searched instead. */
  readonly corrections: readonly { readonly from: string; readonly to: string }[]
  /** The query with other names of the entities that it names. */
  readonly readings?: readonly string[] | undefined
  /** The kind of the model whose cosines are evidence. */
  readonly vectorKind: VectorKind
  readonly similarity?: TextSimilarity | undefined
}

/** Applies the rules of a good answer and estimates its confidence; best first. */
export function rankAnswers<Hit extends AnswerHit>(
  allHits: readonly Hit[],
  { query, range, corrections, readings = [], vectorKind, similarity }: AnswerQuestion,
): readonly RankedHit<Hit>[] {
  const hits = allHits.filter((hit) => !isRelated(hit))
  const termsOf = createTermReader(corrections)
  const terms = termsOf(query)
  const namings = [terms, ...readings.map(termsOf)]
  const termsOfHit = ({ reading }: Hit) =>
    reading === undefined ? namings : [...namings, termsOf(reading)]
  const tense = readTense(query)
  const queryTerms = readContentTerms(query)
  const isOnlyTime = range !== undefined && namesOnlyTime(range.rest, terms)
  const readEvidence = (hit: Hit) =>
    isOnlyTime && isFrom(range, hit) ? withFullEvidence(hit) : limitToPassage(hit, queryTerms)
  const specific = adjust(
    hits.map((hit) => toDraft(readEvidence(hit), termsOfHit(hit))),
    'coverage',
    (drafts) => drafts.map((draft) => coverageAdjustment(draft)),
  )
  const covered = adjust(specific, 'content coverage', preferComplete)
  const timed = adjust(covered, 'time range', (drafts) =>
    preferTime(toHits(drafts), { range, isOnlyTime }),
  )
  const hasAnswerType = createTypeTest(query)
  const lacksType = createLackTest({ query, range, readings }, hasAnswerType)
  const typed = adjust(timed, 'answer type', (drafts) =>
    drafts.map((draft) => (lacksType(draft.hit) ? demoteMistyped(draft) : undefined)),
  )
  const earlier = adjust(typed, 'later state', (drafts) => demoteLater(toHits(drafts), query))
  const drafts = earlier.toSorted((a, b) => b.score - a.score)
  const related = allHits.filter(isRelated).map((hit) => toDraft(hit, termsOfHit(hit)))
  const newest = preferNewest(drafts, related, {
    query,
    // A state of a time has versions, though the question has a verb of the past.
    tense: tense === 'event' && range !== undefined ? 'unspecified' : tense,
    until: range?.end,
    hasAnswerType,
    similarity,
    terms,
  })
  const isList = isListQuestion(query)
  const ranked = (isList ? diversify(newest, query) : newest).toSorted((a, b) => b.score - a.score)
  const missingWeight = Math.min(...namings.map((terms) => findMissingWeight(terms, hits)))
  const isShortQuery = terms.length === 0 && readContentTerms(query).length < 2
  const isPartialHit = vectorKind === 'static' ? createPartialTest(query, terms) : () => false
  return ranked.map(({ specificCoverage, ...draft }, index) => {
    const { isTurn } = draft.hit
    const evidence = evidenceOfSubject(draft.hit, ranked)
    const lead = marginOf(ranked, index)
    // Several rows answer such a question, so the best one leads by little.
    const margin = isList ? Math.max(lead, minListMargin) : lead
    const query = { missingWeight, isShortQuery, vectorKind }
    const isReplaced = wasReplaced(draft, range?.end)
    const isOutdated = isReplaced && tense !== 'past' && tense !== 'original'
    const features = {
      evidence,
      isTurn,
      specificCoverage,
      margin,
      isOutdated,
      isPartial: isPartialHit({ ...draft.hit, evidence }),
      lacksAnswerType: lacksType(draft.hit),
      ...query,
    }
    return { ...draft, features, confidence: estimateConfidence(features) }
  })
}

/** Tests whether a text lacks the kind of value that a question needs, or its owner, or is of another month. */
function createLackTest(
  { query, range, readings = [] }: Pick<AnswerQuestion, 'query' | 'range' | 'readings'>,
  hasAnswerType: (content: string) => boolean,
): (hit: AnswerHit) => boolean {
  const isOtherMonth = createOtherMonthTest(range)
  // By another reading, the owner may have another name.
  const lacksOwner = readings.length === 0 ? createOwnerTest(query) : () => false
  return (hit) =>
    !hit.isTurn && (!hasAnswerType(hit.content) || isOtherMonth(hit) || lacksOwner(hit))
}

function isRelated(hit: AnswerHit): boolean {
  return hit.isRelated === true
}

/** Reads the specific terms of a text, once for each text. */
function createTermReader(corrections: AnswerQuestion['corrections']) {
  const known = new Map<string, readonly SpecificTerm[]>()
  return (text: string): readonly SpecificTerm[] => {
    const terms =
      known.get(text) ?? correctTerms(readSpecificTerms(dropBeforeClause(text)), corrections)
    known.set(text, terms)
    return terms
  }
}

/** Whether a question names a time, and at most a person besides. */
function namesOnlyTime(rest: string, terms: readonly SpecificTerm[]): boolean {
  const names = new Set(
    terms.flatMap(({ kind, words }) => (kind === 'name' ? readTerms(words.join(' ')) : [])),
  )
  return readContentTerms(rest).every((term) => names.has(term))
}

/** Identifiers have one spelling. */
function correctTerms(
  terms: readonly SpecificTerm[],
  corrections: AnswerQuestion['corrections'],
): readonly SpecificTerm[] {
  const correct = (word: string) => {
    const [stem = word] = readTerms(word)
    return corrections.find(({ from }) => from === word || from === stem)?.to ?? word
  }
  return terms.map((term) =>
    term.kind === 'name' ? { ...term, words: term.words.map(correct) } : term,
  )
}

/** The text needs the terms of one reading of the query. */
function toDraft<Hit extends AnswerHit>(
  hit: Hit,
  namings: readonly (readonly SpecificTerm[])[],
): Draft<Hit> {
  const specificCoverage = Math.max(...namings.map((terms) => coverSpecificTerms(terms, hit)))
  return { hit, score: hit.score, stages: [], outdatedBy: undefined, specificCoverage }
}

/** If a question names only a time, everything from that time answers it. */
function withFullEvidence<Hit extends AnswerHit>(hit: Hit): Hit {
  return { ...hit, evidence: { ...hit.evidence, lexical: timeEvidence } }
}

/** Of a long text the best passage answers, so words that are far apart count less. */
function limitToPassage<Hit extends AnswerHit>(hit: Hit, terms: readonly string[]): Hit {
  const share = bestPassageShare(hit.content, terms)
  if (share === 1 || hit.isTurn) return hit
  const { evidence } = hit
  const soft = evidence.soft * share
  return { ...hit, evidence: { ...evidence, lexical: evidence.lexical * share, soft } }
}

/** A note with more of the question stands before one with less of it. */
function preferComplete(drafts: readonly Draft<AnswerHit>[]): readonly Adjustment[] {
  const coverageOf = ({ hit: { evidence } }: Draft<AnswerHit>) =>
    Math.max(evidence.lexical, evidence.hint)
  const isLong = ({ hit: { content } }: Draft<AnswerHit>) => content.length >= minLongLength
  const best = Math.max(0, ...drafts.filter(isLong).map(coverageOf))
  if (best < minComplete) return drafts.map(() => undefined)
  return drafts.map((draft) => {
    const missing = best - coverageOf(draft)
    if (draft.hit.isTurn || missing < minMissing) return undefined
    const reason = 'has fewer of the words than another row'
    return { score: draft.score * (1 - incompletePenalty * missing), reason }
  })
}

/** The neighbours of a turn often have its names, so it loses nothing. */
function coverageAdjustment({ hit, score, specificCoverage }: Draft<AnswerHit>): Adjustment {
  if (specificCoverage === 1 || hit.isTurn) return undefined
  const reason = `has ${Math.round(100 * specificCoverage)} % of the identifiers and names`
  return { score: score * (1 - coveragePenalty * (1 - specificCoverage)), reason }
}

function demoteMistyped({ score }: Draft<AnswerHit>): Adjustment {
  return {
    score: score * mistypedScoreShare,
    reason: 'lacks the kind of value, the month or the owner that the query names',
  }
}

/** The evidence of earlier versions counts for the newest one, too. */
function evidenceOfSubject<Hit extends AnswerHit>(hit: Hit, drafts: readonly Draft<Hit>[]) {
  const versions = drafts.filter(({ outdatedBy }) => outdatedBy === hit)
  return versions.reduce(
    ({ lexical, soft, hint, vector }, { hit: { evidence } }) => ({
      lexical: Math.max(lexical, evidence.lexical),
      soft: Math.max(soft, evidence.soft),
      hint: Math.max(hint, evidence.hint),
      vector: vector === undefined ? evidence.vector : Math.max(vector, evidence.vector ?? 0),
    }),
    hit.evidence,
  )
}

function diversify<Hit extends AnswerHit>(drafts: readonly Draft<Hit>[], query: string) {
  const compared = drafts.slice(0, maxCompared)
  return adjust(drafts, 'diversity', () => preferDiverse(toHits(compared), query))
}

/** Whether a newer text replaces the hit, before the end of the time that the question names. */
function wasReplaced(
  { outdatedBy, hit }: Pick<Draft<AnswerHit>, 'outdatedBy' | 'hit'>,
  until = '\uffff',
): boolean {
  return hit.isSuperseded === true || (outdatedBy !== undefined && outdatedBy.createdAt < until)
}

/**
 * The distance to the best other hit, as a share of the better score: negative below it. Other
 * versions of its subject do not make the best hit doubtful.
 */
function marginOf(ranked: readonly Draft<AnswerHit>[], index: number): number {
  const own = ranked[index]
  const [best, ...others] = ranked
  const other = own === best ? others.find((draft) => !haveOneSubject(draft, best)) : best
  if (!own || !other) return defaultMargin
  return (own.score - other.score) / Math.max(own.score, other.score, Number.EPSILON)
}

function haveOneSubject(a: Draft<AnswerHit>, b: Draft<AnswerHit> | undefined): boolean {
  if (!b) return false
  const isShared = a.outdatedBy !== undefined && a.outdatedBy === b.outdatedBy
  return isShared || a.outdatedBy === b.hit || b.outdatedBy === a.hit
}
