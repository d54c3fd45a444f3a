import type { RecallConfig } from './config.ts'

/** Hints are derived, so alone they never count as much as the words of the memory itself. */
const hintCap = 0.75

/** A text with less than this share of the question's words is weaker in proportion. */
const wellCovered = 0.25

const dayMs = 86_400_000

/** How strong each stage found a memory, as a share of the stage's best; 0 when it did not. */
export interface Evidence {
  readonly text: number
  readonly hint: number
}

export interface Scored {
  readonly score: number
  readonly source: 'keyword' | 'hint'
}

/**
 * The best of nothing is not an answer: what the words found is scaled down when even the best row
 * holds only a few of those asked for. `coverage` is that row's share of them, 0..1.
 */
export function toScored({ text, hint }: Evidence, coverage: number): Scored {
  const keyword = text * Math.min(1, coverage / wellCovered)
  const hinted = Math.min(hintCap, hint)
  return hinted > 0 && hinted >= keyword
    ? { score: hinted, source: 'hint' }
    : { score: keyword, source: 'keyword' }
}

export interface Use {
  readonly createdAt: string
  readonly accessCount: number
  readonly lastAccessed: string | null
}

/** What was used often and lately, and what is new, counts a little more. */
export function boostOf(use: Use, now: Date, config: RecallConfig): number {
  return rehearsalOf(use, now, config) * recencyOf(use, now, config)
}

function rehearsalOf({ accessCount, lastAccessed }: Use, now: Date, config: RecallConfig): number {
  if (!config.rehearsal_enabled || lastAccessed === null) return 1
  const fading = halved(lastAccessed, now, config.rehearsal_half_life_days)
  return 1 + config.rehearsal_weight * Math.log(accessCount + 1) * fading
}

function recencyOf({ createdAt }: Use, now: Date, config: RecallConfig): number {
  if (!config.temporal_prior_enabled) return 1
  const freshness = halved(createdAt, now, config.temporal_prior_half_life_days)
  return 1 + config.temporal_prior_weight * freshness
}

function halved(since: string, now: Date, halfLifeDays: number): number {
  const days = Math.max(0, now.getTime() - Date.parse(since)) / dayMs
  return 0.5 ** (days / halfLifeDays)
}
