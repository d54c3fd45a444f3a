import type { VectorKind } from '../../../search/index.ts'
import type { AnswerHit } from './hit.ts'

/** What is known about a hit and its query. */
export interface ConfidenceFeatures extends Pick<AnswerHit, 'evidence' | 'isTurn'> {
  /** The share of specific terms in the text. */
  readonly specificCoverage: number
  /** The weight of specific terms that no hit has, 0 to 1. */
  readonly missingWeight: number
  /** Whether the query has at most one term, which many texts have by chance. */
  readonly isShortQuery: boolean
  /** The distance to the best other hit, as a share of the better score. */
  readonly margin: number
  /** Whether a newer memory replaces this one in a question about the present. */
  readonly isOutdated: boolean
  /** Whether the text lacks what the query asks of its subject. */
  readonly isPartial: boolean
  /** Whether the text has no value of the kind that the query needs, or is the record of another month. */
  readonly lacksAnswerType: boolean
  readonly vectorKind: VectorKind
}

/** Logistic regression; see `bench/README.md` for its data. The weight of `outdated` is chosen by hand. */
const staticWeights = {
  bias: -2.9,
  words: 0.9,
  similarWords: 2,
  meaning: 2.1,
  specificCoverage: 0.35,
  missingWeight: -3.2,
  shortQuery: -0.8,
  turn: -0.9,
  margin: 4.8,
  outdated: -1.5,
} as const
type FeatureName = keyof typeof staticWeights
const featureNames = Object.keys(staticWeights) as readonly FeatureName[]
/** Cosines of a transformer say more than those of word vectors. */
const weightsByKind = {
  static: staticWeights,
  transformer: { ...staticWeights, bias: -2.8, similarWords: 1, meaning: 4.5, margin: 4 },
} as const
/** A large lead says no more, and neither does a large distance. */
const maxMargin = 0.5
/** Replaces the cosine where vectors are missing. */
const defaultCosine = { base: 0.2, words: 0.35 } as const

const minHigh = 0.7
const minMedium = 0.54
/** A text that lacks a part of the query may be about its subject only: never `high`. */
const maxPartialSum = toSum(minHigh - 0.01)
/** A text without the kind of value that the query needs keeps this share of its confidence: always `low`. */
const mistypedConfidenceShare = minMedium - 0.01

/** The probability that a hit answers the query, 0 to 1: the logistic function of the sum of its products. */
export function estimateConfidence(features: ConfidenceFeatures): number {
  const sum = explainConfidence(features).reduce(
    (sum, { value, weight }) => sum + weight * value,
    0,
  )
  return toConfidence(sum)
}

/** The logistic function. */
function toConfidence(sum: number): number {
  return 1 / (1 + Math.exp(-sum))
}

/** The value of each feature with its weight. The weights of the last two limit the sum. */
export function explainConfidence(features: ConfidenceFeatures) {
  const weights = weightsByKind[features.vectorKind]
  const values = toValues(features)
  const products = featureNames.map((name) => ({
    name,
    value: values[name],
    weight: weights[name],
  }))
  const sum = products.reduce((sum, { value, weight }) => sum + weight * value, 0)
  const partial = {
    name: 'partial',
    value: features.isPartial ? 1 : 0,
    weight: Math.min(0, maxPartialSum - sum),
  }
  const limited = sum + partial.value * partial.weight
  const mistyped = {
    name: 'answer type',
    value: features.lacksAnswerType ? 1 : 0,
    weight: toSum(mistypedConfidenceShare * toConfidence(limited)) - limited,
  }
  return [...products, partial, mistyped]
}

/** The sum that gives the confidence: the inverse of the logistic function. */
function toSum(confidence: number): number {
  return Math.log(confidence / (1 - confidence))
}

function toValues(features: ConfidenceFeatures): Readonly<Record<FeatureName, number>> {
  const { evidence, specificCoverage, missingWeight, isTurn, isShortQuery, margin, isOutdated } =
    features
  const words = Math.max(evidence.lexical, evidence.hint)
  const similarWords = Math.max(words, evidence.soft)
  // A text leads by its other words if it lacks the specific terms.
  const leadShare = margin > 0 && !isTurn ? specificCoverage : 1
  const meaning = evidence.vector ?? defaultCosine.base + defaultCosine.words * words
  return {
    bias: 1,
    words,
    similarWords,
    meaning: Math.max(0, meaning),
    specificCoverage,
    missingWeight: isTurn ? 0 : missingWeight,
    shortQuery: isShortQuery ? 1 : 0,
    turn: isTurn ? 1 : 0,
    margin: Math.max(-maxMargin, Math.min(maxMargin, margin * leadShare)),
    outdated: isOutdated ? 1 : 0,
  }
}

export type ConfidenceLevel = 'high' | 'medium' | 'low'

export function toConfidenceLevel(confidence: number): ConfidenceLevel {
  if (confidence >= minHigh) return 'high'
  return confidence >= minMedium ? 'medium' : 'low'
}
