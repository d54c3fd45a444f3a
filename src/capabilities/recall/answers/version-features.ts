import { readTerms } from '../../../search/index.ts'
import { coverSpecificTerms } from './coverage.ts'
import type { AnswerHit } from './hit.ts'
import type { SpecificTerm } from './specific-terms.ts'
import {
  compareTerms,
  createSubjectReader,
  haveDifferentSubjects,
  isComparable,
  type Subject,
} from './subject.ts'
import type { TextSimilarity } from './text-similarity.ts'

/** What says that a text is another version of a better hit, as the two answer a question; 1 at most. */
export interface VersionFeatures {
  /** Whether it is the newer of the two. */
  readonly newer: number
  /** The share of the question that it has, and how much less that is than of the better hit. */
  readonly evidence: number
  readonly lessEvidence: number
  /** The same for the identifiers and names of the question. */
  readonly specificCoverage: number
  readonly lessSpecific: number
  /** The inverse of the places between the two. */
  readonly rank: number
  /** The logarithm of the days between the two, limited. */
  readonly days: number
  readonly sameSpeaker: number
  /** The number of names that neither the question nor the better hit has. */
  readonly newNames: number
  /** Whether it begins with a term of the better hit that the question lacks. */
  readonly sameOpening: number
  /** Whether it lacks the kind of value that the question needs. */
  readonly lacksType: number
  /** The share of other texts that lack the rarest kind of value in both. */
  readonly sharedKind: number
  /** Whether no other text is as near to the better hit. */
  readonly nearest: number
  /** Whether the newer of the two announces a change, or is about a passing time. */
  readonly change: number
  readonly passing: number
  /** Whether one of the two is long, so that it has several subjects. */
  readonly long: number
}

export interface VersionContext {
  readonly query: string
  /** The identifiers and names of the question. */
  readonly terms: readonly SpecificTerm[]
  readonly hasAnswerType: (content: string) => boolean
  readonly similarity?: TextSimilarity | undefined
}

export interface VersionPair {
  readonly features: VersionFeatures
  /** Whether the two are about different things, whatever the features say. */
  readonly isForeign: () => boolean
}

interface Text {
  readonly hit: AnswerHit
  readonly subject: Subject
}

const dayMs = 86_400_000
const maxLogDays = 5
const maxShortLength = 300
const maxComparedLength = 150

/**
 * Reads the features of two hits by their indexes; undefined if they may not be compared. Costly
 * features are read on access.
 */
export function createVersionReader(
  hits: readonly AnswerHit[],
  { query, terms, hasAnswerType, similarity = () => 0 }: VersionContext,
): (better: number, index: number) => VersionPair | undefined {
  const queryTerms = new Set(readTerms(query))
  const readSubject = createSubjectReader()
  const texts = hits.map((hit) => ({ hit, subject: readSubject(hit.content) }))
  const nearestTo = createNearest(texts, similarity)
  const rarityOf = createRarity(texts)
  const coverSpecific = ({ hit }: Text) => coverSpecificTerms(terms, { ...hit, who: '' })
  return (better, index) => {
    const [one, other] = [texts[better], texts[index]]
    if (!one || !other || !isComparable(one.hit, other.hit)) return undefined
    const isNewer = other.hit.createdAt > one.hit.createdAt
    const [newer, older] = isNewer ? [other, one] : [one, other]
    const coverage = coverSpecific(other)
    const features = {
      newer: Number(isNewer),
      evidence: evidenceOf(other.hit),
      lessEvidence: Math.max(0, evidenceOf(one.hit) - evidenceOf(other.hit)),
      specificCoverage: coverage,
      lessSpecific: Math.max(0, coverSpecific(one) - coverage),
      rank: 1 / (1 + Math.abs(index - better)),
      days: Math.min(1, Math.log1p(daysOf(newer.hit) - daysOf(older.hit)) / maxLogDays),
      sameSpeaker: Number(one.hit.who === other.hit.who),
      long: Number(isLong(one.hit) || isLong(other.hit)),
      get lacksType() {
        return Number(!hasAnswerType(other.hit.content))
      },
      get newNames() {
        return countNewNames(one.subject, other.subject, queryTerms)
      },
      get change() {
        return Number(newer.subject.isChange)
      },
      get passing() {
        return Number(newer.subject.isPassing)
      },
      get sameOpening() {
        const { first = '' } = other.subject
        return Number(one.subject.terms.has(first) && !queryTerms.has(first))
      },
      get sharedKind() {
        return Math.max(0, ...listSharedKinds(one.subject, other.subject).map(rarityOf))
      },
      get nearest() {
        return Number(nearestTo(one) === other)
      },
    }
    const haveNothingInCommon = () =>
      features.nearest === 0 &&
      features.sharedKind === 0 &&
      compareTerms(one.subject.terms, other.subject.terms) === 0
    const isForeign = () =>
      haveDifferentSubjects(newer.subject, older.subject, queryTerms) || haveNothingInCommon()
    return { features, isForeign }
  }
}

function countNewNames(one: Subject, other: Subject, queryTerms: ReadonlySet<string>): number {
  const isKnown = (name: string) => one.terms.has(name) || queryTerms.has(name)
  return [...other.names].filter((name) => !isKnown(name)).length
}

function listSharedKinds({ valueKinds }: Subject, other: Subject): readonly string[] {
  return [...valueKinds].filter((kind) => other.valueKinds.has(kind))
}

function daysOf({ createdAt }: AnswerHit): number {
  return Date.parse(createdAt) / dayMs
}

/** Of long texts, the beginning is compared. */
function beginningOf({ content }: AnswerHit): string {
  return content.slice(0, maxComparedLength)
}

function isLong({ content }: AnswerHit): boolean {
  return content.length > maxShortLength
}

function evidenceOf({ evidence: { lexical, soft, hint } }: AnswerHit): number {
  return Math.max(lexical, soft, hint)
}

/** The share of texts, besides two that have it, without a kind of value, by the rule of succession. */
function createRarity(texts: readonly Text[]): (kind: string) => number {
  return (kind) =>
    (1 + texts.filter(({ subject }) => !subject.valueKinds.has(kind)).length) / texts.length
}

/** Finds the text that is the nearest to another by meaning and terms. */
function createNearest(
  texts: readonly Text[],
  similarity: TextSimilarity,
): (text: Text) => Text | undefined {
  const known = new Map<Text, Text | undefined>()
  const nearness = (one: Text, other: Text) =>
    similarity(beginningOf(one.hit), beginningOf(other.hit)) +
    compareTerms(one.subject.terms, other.subject.terms)
  const find = (text: Text) => {
    const others = texts.filter((other) => other !== text)
    const values = others.map((other) => nearness(text, other))
    const best = Math.max(0, ...values)
    return best > 0 ? others[values.indexOf(best)] : undefined
  }
  return (text) => {
    if (!known.has(text)) known.set(text, find(text))
    return known.get(text)
  }
}
