import type { RepairAction, RepairOutcome, RepairStep } from '../../kernel/capability/repair.ts'
import { toCount } from '../../kernel/errors/to-count.ts'
import { createDeduplication } from './deduplicate.ts'
import type { MemoryNeeds } from './needs.ts'
import {
  countMismatches,
  findDrift,
  findLastPosition,
  rebuildTextIndex,
} from './store/text-index.ts'
import { createRetentionSweep } from './sweep.ts'

export function createMemoryRepairs(needs: MemoryNeeds): readonly RepairAction[] {
  return [createRetentionSweep(needs), createTextIndexCheck(needs), createDeduplication(needs)]
}

/** Positions of one slice. */
const sliceSize = 5_000

/** Compares the text index with the memories, and rebuilds it on request. */
function createTextIndexCheck({ db, background = db }: MemoryNeeds): RepairAction {
  return {
    name: 'check-fts',
    run: async (step) => {
      const drift = step.cursor === null ? await findDrift(background) : undefined
      if (drift !== undefined) return repairIndex(step, { drift })
      const after = typeof step.cursor === 'number' ? step.cursor : 0
      const last = await findLastPosition(background)
      const upTo = Math.min(last, after + sliceSize)
      const { missing, excess } = await countMismatches(background, { after, upTo })
      if (missing + excess > 0) return repairIndex(step, { missing, excess })
      return { affected: 0, next: upTo < last ? upTo : null }
    },
    describe: ({ affected, details }) => {
      if (affected === 0) return 'The text index matches the memories.'
      const { drift, missing, excess, rebuilt } = details
      const problem =
        drift === undefined
          ? `${toCount(Number(missing), 'missing memory')} and ${toCount(Number(excess), 'row')} without a memory`
          : `${drift}`
      const outcome = rebuilt ? 'It was rebuilt.' : 'Rebuild it with --repair.'
      return `The text index is damaged: ${problem}. ${outcome}`
    },
  }
}

interface Damage {
  readonly drift?: string
  readonly missing?: number
  readonly excess?: number
}

/** One damaged slice is enough for a rebuild. */
function repairIndex(
  { dryRun, input, save }: RepairStep,
  damage: Damage,
): RepairOutcome | Promise<RepairOutcome> {
  const outcome = { affected: 1, next: null }
  if (dryRun || !input.repair) return { ...outcome, details: { ...damage, rebuilt: false } }
  return save(async (db) => {
    await rebuildTextIndex(db, damage.drift !== undefined)
    return { ...outcome, details: { ...damage, rebuilt: true } }
  })
}
