import type {
  RepairCursor,
  RepairInput,
  RepairOutcome,
  RepairTotals,
} from '../../kernel/capability/repair.ts'
import type { RepairName } from './actions.ts'

export type RunState = 'running' | 'succeeded' | 'failed' | 'interrupted'

/** Who requested a repair, and why. */
export interface Actor {
  readonly name: string
  readonly type: string
  readonly reason: string
  readonly requestId: string
  readonly agentId: string
}

/** A position within the parts of an action. */
export interface Position {
  readonly part: number
  readonly cursor: RepairCursor
}

export const firstPosition: Position = { part: 0, cursor: null }

export interface RepairRun {
  readonly id: string
  readonly action: RepairName
  readonly state: RunState
  readonly actor: Actor
  readonly input: RepairInput
  readonly affected: number
  /** Where the next slice begins; null at the end. */
  readonly position: Position | null
  readonly counts: Readonly<Record<string, number>>
  readonly details: Readonly<Record<string, unknown>>
  readonly message: string
  /** The daemon that runs it. */
  readonly owner: string | null
  readonly leaseUntil: string | null
  readonly startedAt: string
  readonly updatedAt: string
  readonly endedAt: string | null
}

export type Progress = Pick<RepairRun, 'affected' | 'position' | 'counts' | 'details'>

export const noProgress: Progress = {
  affected: 0,
  position: firstPosition,
  counts: {},
  details: {},
}

/** Adds a slice. Its part continues at `next`, or the following part begins. */
export function addOutcome(before: Progress, outcome: RepairOutcome, parts: number): Progress {
  const { part } = before.position ?? firstPosition
  const nextPart = part + 1 < parts ? { part: part + 1, cursor: null } : null
  const counts = { ...before.counts }
  for (const [name, count] of Object.entries(outcome.counts ?? {}))
    counts[name] = (counts[name] ?? 0) + count
  return {
    affected: before.affected + outcome.affected,
    position: outcome.next === null ? nextPart : { part, cursor: outcome.next },
    counts,
    details: { ...before.details, ...outcome.details },
  }
}

export function toTotals({ affected, counts, details }: Progress, dryRun: boolean): RepairTotals {
  return { affected, counts, details, dryRun }
}
