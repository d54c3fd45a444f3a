import type { Standing } from '../memory/index.ts'
import type { RecallConfig } from './config.ts'
import { maxHintScore, type Scored } from './lexical-search.ts'
import { coverageOf, type QueryWords } from './words.ts'

const dayMs = 86_400_000

/** Number of neutral prior ratings, which limit the effect of a single rating. */
const priorRatings = 2

/** Usage above this multiple of the mean is boosted. */
const usageThreshold = 2

/** Factor of memories outside their validity. */
const invalidFactor = 0.65

/**
 * Vector-only hits that share no term or near-synonym with the query are multiplied by
 * `penaltyFactor`, but not below `penaltyFloor`.
 */
const penaltyFloor = 0.3
const penaltyFactor = 0.5
const minSimilarity = 0.05

/** Decisions and constraints gain, and dated texts of at least `minDatedLength` characters. */
const decisionFactor = 1.2
const dateFactor = 1.1
const minDatedLength = 50
/** As strong as the recency boost: it reorders similar scores only. */
const projectFactor = 1.15
/** Versions of one subject have a rule of their own, so age alone decides between equals. */
const recencyShare = 1 / 3
const datePattern =
  /\b(?:January|February|March|April|June|July|August|September|October|November|December|May \d{1,4}|\d{1,2} May|\d{4}-\d{2}-\d{2})\b/

export interface BoostContext {
  /** Mean usage of all hits: see `usageOf`. */
  readonly meanUsage: number
  /** Words of the query. */
  readonly words: () => QueryWords
  readonly now: Date
  /** Feedback of hits that carry none. */
  readonly feedback: ReadonlyMap<string, Standing>
  readonly config: RecallConfig
  /** The project of the caller. */
  readonly preferredProject?: string | undefined
}

interface Boost {
  readonly name: string
  readonly factor: number
  readonly reason: string
}

/** Applies the boosts of usage, age, feedback, validity, type and project to a score. */
export function applyBoosts(scored: Scored, context: BoostContext): Scored {
  const boosts = [
    vectorOnlyPenalty(scored, context),
    decisionBoost(scored, context),
    usageBoost(scored, context),
    recencyBoost(scored, context),
    feedbackBoost(scored, context),
    validityBoost(scored, context),
    projectBoost(scored, context),
  ]
  let { score } = scored
  const stages = [...scored.stages]
  for (const { name, factor, reason } of boosts.filter(({ factor }) => factor !== 1)) {
    score *= factor
    stages.push({ name, score, reason })
  }
  return capHintScore({ ...scored, score, stages })
}

/** Boosts never raise a hint above `maxHintScore`. */
function capHintScore(scored: Scored): Scored {
  if (scored.source !== 'hint' || scored.score <= maxHintScore) return scored
  const capped = { name: 'hint cap', score: maxHintScore, reason: 'found by hints alone' }
  return { ...scored, score: maxHintScore, stages: [...scored.stages, capped] }
}

function vectorOnlyPenalty(
  { found, score, source, termSimilarity = 0 }: Scored,
  { words, config }: BoostContext,
): Boost {
  const isVectorOnly = source === 'vector' && score > penaltyFloor
  const applies =
    config.dampening_enabled &&
    isVectorOnly &&
    termSimilarity < minSimilarity &&
    coverageOf(words(), found.memory.content) === 0
  const factor = applies ? Math.max(penaltyFloor, score * penaltyFactor) / score : 1
  return { name: 'dampening', factor, reason: 'shares no term with the query' }
}

/** Decisions, constraints and dated memories are more specific than other statements. */
function decisionBoost({ found }: Scored, { config }: BoostContext): Boost {
  if (!config.resolution_enabled) return { name: 'resolution', factor: 1, reason: '' }
  const { type, content } = found.memory
  const isDecision = type === 'constraint' || type === 'decision'
  const isDated = content.length >= minDatedLength && datePattern.test(content)
  const factor = (isDecision ? decisionFactor : 1) * (isDated ? dateFactor : 1)
  const reasons = [isDecision ? `a ${type}` : '', isDated ? 'contains a date' : '']
  return { name: 'resolution', factor, reason: reasons.filter(Boolean).join(', ') }
}

/** All hits of a frequent query are recalled often, so only usage far above their mean counts. */
function usageBoost({ found }: Scored, { now, config, meanUsage }: BoostContext): Boost {
  const excess =
    Math.max(0, usageOf(found, now, config) - usageThreshold * meanUsage) / (1 + meanUsage)
  const factor = 1 + config.rehearsal_weight * Math.min(1, excess)
  return { name: 'rehearsal', factor, reason: `recalled ${found.accessCount} times` }
}

/** Recall count with exponential decay since the last recall; 0 without recalls. */
export function usageOf(
  { accessCount, lastAccessed }: Scored['found'],
  now: Date,
  { rehearsal_enabled, rehearsal_half_life_days }: RecallConfig,
): number {
  if (!rehearsal_enabled || lastAccessed === null) return 0
  return Math.log(accessCount + 1) * halfLifeDecay(lastAccessed, now, rehearsal_half_life_days)
}

function recencyBoost({ found }: Scored, { now, config }: BoostContext): Boost {
  const { temporal_prior_enabled, temporal_prior_weight, temporal_prior_half_life_days } = config
  const { createdAt } = found.memory
  const recency = temporal_prior_enabled
    ? halfLifeDecay(createdAt, now, temporal_prior_half_life_days)
    : 0
  return {
    name: 'recency',
    factor: 1 + recencyShare * temporal_prior_weight * recency,
    reason: `created at ${createdAt}`,
  }
}

function feedbackBoost({ found }: Scored, { feedback, config }: BoostContext): Boost {
  const { ratings = 0, rated = 0 } = feedbackOf(found, feedback) ?? {}
  const factor = 1 + config.feedback_weight * (rated / (ratings + priorRatings))
  return { name: 'feedback', factor, reason: `${ratings} ratings, sum ${rated}` }
}

function validityBoost({ found }: Scored, { feedback }: BoostContext): Boost {
  const factor = feedbackOf(found, feedback)?.valid === false ? invalidFactor : 1
  return { name: 'currentness', factor, reason: 'valid at another time' }
}

function projectBoost({ found }: Scored, { preferredProject: project }: BoostContext): Boost {
  const isOfProject = project !== undefined && found.memory.project === project
  return {
    name: 'project',
    factor: isOfProject ? projectFactor : 1,
    reason: `in project ${project}`,
  }
}

function feedbackOf(
  { feedbackStats, memory }: Scored['found'],
  feedback: BoostContext['feedback'],
): Standing | undefined {
  return feedbackStats ?? feedback.get(memory.id)
}

function halfLifeDecay(since: string, now: Date, halfLifeDays: number): number {
  const days = Math.max(0, now.getTime() - Date.parse(since)) / dayMs
  return 0.5 ** (days / halfLifeDays)
}
