import type { Standing } from '../memory/index.ts'
import type { RecallConfig } from './config.ts'
import { hintCap } from './rank.ts'
import type { Scored } from './scored.ts'
import { coverageOf, type Words } from './words.ts'

const dayMs = 86_400_000

/** As many neutral opinions stand beside those that were given, so that one alone says little. */
const neutralRatings = 2

/** Times the usual use. */
const farMore = 2

/** What no longer or not yet holds, against what does. */
const notValid = 0.65

/**
 * What only resembles the question as a whole, and shares no word with it nor one of nearly the same
 * meaning, loses half, down to here.
 */
const dampedTo = 0.3
const damping = 0.5
const alike = 0.05

/** What binds, and what tells a date and is long enough to tell more, gains. */
const binding = 1.2
const dated = 1.1
const datedCharacters = 50
/** As much as what is new: enough to come before its like, and not before what fits better. */
const ofProject = 1.15
const date =
  /\b(?:January|February|March|April|June|July|August|September|October|November|December|May \d{1,4}|\d{1,2} May|\d{4}-\d{2}-\d{2})\b/

export interface Circumstances {
  /** How much what was found beside it is used, on average: see `useOf`. */
  readonly usualUse: number
  /** Those of the question. */
  readonly words: () => Words
  readonly now: Date
  /** Of those that brought none. */
  readonly standings: ReadonlyMap<string, Standing>
  readonly config: RecallConfig
  /** Where the question is asked. */
  readonly preferredProject?: string | undefined
}

interface Boost {
  readonly name: string
  readonly factor: number
  readonly reason: string
}

/** What a memory is worth beside how well it fits: its use, its age, opinions of it, and its time. */
export function weigh(scored: Scored, circumstances: Circumstances): Scored {
  const boosts = [
    dampen(scored, circumstances),
    resolve(scored, circumstances),
    rehearse(scored, circumstances),
    refresh(scored, circumstances),
    respect(scored, circumstances),
    keepCurrent(scored, circumstances),
    prefer(scored, circumstances),
  ]
  let { score } = scored
  const stages = [...scored.stages]
  for (const { name, factor, reason } of boosts.filter(({ factor }) => factor !== 1)) {
    score *= factor
    stages.push({ name, score, reason })
  }
  return capHint({ ...scored, score, stages })
}

/** Nothing that a memory is worth beside its words makes more of a hint than it may be. */
function capHint(scored: Scored): Scored {
  if (scored.source !== 'hint' || scored.score <= hintCap) return scored
  const capped = { name: 'hint cap', score: hintCap, reason: 'found by hints alone' }
  return { ...scored, score: hintCap, stages: [...scored.stages, capped] }
}

function dampen(
  { found, score, source, likeness = 0 }: Scored,
  { words, config }: Circumstances,
): Boost {
  const isAlone = source === 'vector' && score > dampedTo
  const applies =
    config.dampening_enabled &&
    isAlone &&
    likeness < alike &&
    coverageOf(words(), found.memory.content) === 0
  const factor = applies ? Math.max(dampedTo, score * damping) / score : 1
  return { name: 'dampening', factor, reason: 'says nothing that the question says' }
}

/** What was decided, or is dated, says more of how things are than what was merely said of them. */
function resolve({ found }: Scored, { config }: Circumstances): Boost {
  if (!config.resolution_enabled) return { name: 'resolution', factor: 1, reason: '' }
  const { type, content } = found.memory
  const isBinding = type === 'constraint' || type === 'decision'
  const isDated = content.length >= datedCharacters && date.test(content)
  const factor = (isBinding ? binding : 1) * (isDated ? dated : 1)
  const reasons = [isBinding ? `a ${type}` : '', isDated ? 'tells a date' : '']
  return { name: 'resolution', factor, reason: reasons.filter(Boolean).join(', ') }
}

/** Whatever is asked about is recalled often: a memory counts for more only as it is used far more than its like. */
function rehearse({ found }: Scored, { now, config, usualUse }: Circumstances): Boost {
  const more = Math.max(0, useOf(found, now, config) - farMore * usualUse) / (1 + usualUse)
  const factor = 1 + config.rehearsal_weight * Math.min(1, more)
  return { name: 'rehearsal', factor, reason: `recalled ${found.accessCount} times` }
}

/** How often and how lately it was recalled; 0 for what never was. */
export function useOf(
  { accessCount, lastAccessed }: Scored['found'],
  now: Date,
  { rehearsal_enabled, rehearsal_half_life_days }: RecallConfig,
): number {
  if (!rehearsal_enabled || lastAccessed === null) return 0
  return Math.log(accessCount + 1) * halved(lastAccessed, now, rehearsal_half_life_days)
}

function refresh({ found }: Scored, { now, config }: Circumstances): Boost {
  const { temporal_prior_enabled, temporal_prior_weight, temporal_prior_half_life_days } = config
  const { createdAt } = found.memory
  const fresh = temporal_prior_enabled ? halved(createdAt, now, temporal_prior_half_life_days) : 0
  return { name: 'recency', factor: 1 + temporal_prior_weight * fresh, reason: `of ${createdAt}` }
}

function respect({ found }: Scored, { standings, config }: Circumstances): Boost {
  const { ratings = 0, rated = 0 } = standingOf(found, standings) ?? {}
  const factor = 1 + config.feedback_weight * (rated / (ratings + neutralRatings))
  return { name: 'feedback', factor, reason: `rated ${ratings} times, ${rated} in sum` }
}

function keepCurrent({ found }: Scored, { standings }: Circumstances): Boost {
  const factor = standingOf(found, standings)?.valid === false ? notValid : 1
  return { name: 'currentness', factor, reason: 'valid at another time' }
}

function prefer({ found }: Scored, { preferredProject: project }: Circumstances): Boost {
  const isOfProject = project !== undefined && found.memory.project === project
  return { name: 'project', factor: isOfProject ? ofProject : 1, reason: `of ${project}` }
}

function standingOf(
  { feedbackStats: standing, memory }: Scored['found'],
  standings: Circumstances['standings'],
): Standing | undefined {
  return standing ?? standings.get(memory.id)
}

function halved(since: string, now: Date, halfLifeDays: number): number {
  const days = Math.max(0, now.getTime() - Date.parse(since)) / dayMs
  return 0.5 ** (days / halfLifeDays)
}
