import type { Standing } from '../memory/index.ts'
import type { RecallConfig } from './config.ts'
import type { Scored } from './scored.ts'
import { coverageOf, type Words } from './words.ts'

const dayMs = 86_400_000

/** As many neutral opinions stand beside those that were given, so that one alone says little. */
const neutralRatings = 2

/** What no longer or not yet holds, against what does. */
const notValid = 0.65

/** What only resembles the question and shares no word with it loses half, down to here. */
const dampedTo = 0.3
const damping = 0.5

export interface Circumstances {
  readonly words: Words
  readonly now: Date
  readonly standings: ReadonlyMap<string, Standing>
  readonly config: RecallConfig
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
    rehearse(scored, circumstances),
    refresh(scored, circumstances),
    respect(scored, circumstances),
    date(scored, circumstances),
  ]
  let { score } = scored
  const stages = [...scored.stages]
  for (const { name, factor, reason } of boosts.filter(({ factor }) => factor !== 1)) {
    score *= factor
    stages.push({ name, score, reason })
  }
  return { ...scored, score, stages }
}

function dampen({ found, score, source }: Scored, { words, config }: Circumstances): Boost {
  const isAlone = source === 'vector' && score > dampedTo
  const applies =
    config.dampening_enabled && isAlone && coverageOf(words, found.memory.content) === 0
  const factor = applies ? Math.max(dampedTo, score * damping) / score : 1
  return { name: 'dampening', factor, reason: 'shares no word with the question' }
}

function rehearse(
  { found: { accessCount, lastAccessed } }: Scored,
  { now, config }: Circumstances,
): Boost {
  const { rehearsal_enabled, rehearsal_weight, rehearsal_half_life_days } = config
  const isCounted = rehearsal_enabled && lastAccessed !== null
  const fading = isCounted ? halved(lastAccessed, now, rehearsal_half_life_days) : 0
  const factor = 1 + rehearsal_weight * Math.log(accessCount + 1) * fading
  return { name: 'rehearsal', factor, reason: `recalled ${accessCount} times` }
}

function refresh({ found }: Scored, { now, config }: Circumstances): Boost {
  const { temporal_prior_enabled, temporal_prior_weight, temporal_prior_half_life_days } = config
  const { createdAt } = found.memory
  const fresh = temporal_prior_enabled ? halved(createdAt, now, temporal_prior_half_life_days) : 0
  return { name: 'recency', factor: 1 + temporal_prior_weight * fresh, reason: `of ${createdAt}` }
}

function respect({ found }: Scored, { standings, config }: Circumstances): Boost {
  const { ratings = 0, rated = 0 } = standings.get(found.memory.id) ?? {}
  const factor = 1 + config.feedback_weight * (rated / (ratings + neutralRatings))
  return { name: 'feedback', factor, reason: `rated ${ratings} times, ${rated} in sum` }
}

function date({ found }: Scored, { standings }: Circumstances): Boost {
  const factor = standings.get(found.memory.id)?.valid === false ? notValid : 1
  return { name: 'currentness', factor, reason: 'valid at another time' }
}

function halved(since: string, now: Date, halfLifeDays: number): number {
  const days = Math.max(0, now.getTime() - Date.parse(since)) / dayMs
  return 0.5 ** (days / halfLifeDays)
}
