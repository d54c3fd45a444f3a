import type { DreamingConfig } from '../config.ts'
import type { BlockedBy } from '../engine.ts'
import type { Mode } from '../pass.ts'
import type { StateRow } from '../store/rows.ts'
import { findBackoffEnd } from './backoff.ts'

/** What the decision depends on. */
export interface Situation {
  readonly state: Pick<
    StateRow,
    'rulesFailures' | 'lastFailureAt' | 'lastPassAt' | 'lastPassMode' | 'scheduleMode'
  >
  readonly backlogTokens: number
  /** Attention that came after the last pass and that the engine can act on. */
  readonly freshAttention: number
  readonly engine: 'rules' | 'model'
  readonly settings: Pick<
    DreamingConfig,
    'backfillOnFirstRun' | 'maxInterval' | 'rules' | 'tokenThreshold'
  >
  readonly blockedBy: BlockedBy
  readonly passesInLastHour: number
  readonly now: Date
}

export interface Due {
  readonly due: boolean
  readonly because: string
  /** Undefined while nothing is pending. */
  readonly nextCheckAt: Date | undefined
  readonly mode: Mode
}

const maxPassesPerHour = 12
const hourMs = 3_600_000

/** Whether a pass is due, why, and when to look again. */
export function decideDue(situation: Situation): Due {
  const mode = chooseMode(situation)
  const no = (because: string, nextCheckAt?: Date): Due => ({
    due: false,
    because,
    nextCheckAt,
    mode,
  })
  const { blockedBy, backlogTokens, freshAttention, state, now } = situation
  if (blockedBy !== null) return no(blockedBy)
  if (backlogTokens === 0 && freshAttention === 0) return no('nothing is pending')
  const backoffEnd = findBackoffEnd(state)
  if (backoffEnd && backoffEnd > now) return no('backoff after a failure', backoffEnd)
  if (situation.passesInLastHour >= maxPassesPerHour)
    return no('the hour has its limit of passes', new Date(now.getTime() + hourMs))
  const because = findReason(situation)
  if (because !== undefined) return { due: true, because, nextCheckAt: undefined, mode }
  const { maxInterval } = situation.settings
  const since = state.lastPassAt === null ? now.getTime() : Date.parse(state.lastPassAt)
  return no('the backlog is below the threshold', new Date(since + maxInterval))
}

function findReason(situation: Situation): string | undefined {
  const { state, backlogTokens, freshAttention, settings, engine, now } = situation
  const { lastPassAt } = state
  if (freshAttention > 0) return 'attention is pending'
  if (lastPassAt === null && settings.backfillOnFirstRun) return 'the first run'
  const threshold = engine === 'model' ? settings.tokenThreshold : settings.rules.tokenThreshold
  if (backlogTokens >= threshold) return 'the backlog has reached the threshold'
  const isLate =
    lastPassAt !== null && now.getTime() - Date.parse(lastPassAt) >= settings.maxInterval
  return isLate ? 'the last pass is long ago' : undefined
}

/** Both kinds of work alternate, attention first. */
function chooseMode({ backlogTokens, freshAttention, state }: Situation): Mode {
  if (freshAttention === 0) return 'incremental-content'
  if (backlogTokens === 0) return 'incremental-hygiene'
  return state.scheduleMode === 'incremental-hygiene'
    ? 'incremental-content'
    : 'incremental-hygiene'
}
