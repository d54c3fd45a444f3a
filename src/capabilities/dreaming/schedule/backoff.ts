import type { DreamingNeeds } from '../needs.ts'
import type { Pass } from '../pass.ts'
import { readState, saveState } from '../store/evidence.ts'
import type { StateRow } from '../store/rows.ts'

const firstBackoffMs = 300_000
const maxDoublings = 6
const failuresUntilHalt = 5
const haltMs = 86_400_000

/** The time until which no pass is scheduled; undefined after a success. */
export function findBackoffEnd({
  rulesFailures,
  lastFailureAt,
}: Pick<StateRow, 'rulesFailures' | 'lastFailureAt'>): Date | undefined {
  return addBackoff(rulesFailures, lastFailureAt)
}

/** The time until which scheduled passes run without the model. */
export function findModelBackoffEnd({
  modelFailures,
  lastFailureAt,
}: Pick<StateRow, 'modelFailures' | 'lastFailureAt'>): Date | undefined {
  return addBackoff(modelFailures, lastFailureAt)
}

function addBackoff(failures: number, lastFailureAt: string | null): Date | undefined {
  if (failures === 0 || lastFailureAt === null) return undefined
  const isHalt = isHalted({ rulesFailures: failures })
  const ms = isHalt ? haltMs : firstBackoffMs * 2 ** Math.min(failures, maxDoublings)
  return new Date(Date.parse(lastFailureAt) + ms)
}

export function isHalted({ rulesFailures }: Pick<StateRow, 'rulesFailures'>): boolean {
  return rulesFailures >= failuresUntilHalt
}

/** A preview does not change the state. */
export async function recordFailure(
  { db, host }: DreamingNeeds,
  { agentId, dryRun }: Pick<Pass, 'agentId' | 'dryRun'>,
): Promise<void> {
  if (dryRun) return
  const { rulesFailures } = await readState(db, agentId)
  const lastFailureAt = host.now().toISOString()
  await saveState(db, agentId, { rulesFailures: rulesFailures + 1, lastFailureAt })
}
