import type { Db } from '../db/database.ts'

/**
 * A repair of the data of one owner. Several contributions with one name are its parts, which run
 * in the order of contribution. A second run on the same state changes nothing.
 */
export interface RepairAction {
  /** The segment of its route and the name of its command: `requeue-dead`. */
  readonly name: string
  /**
   * Runs one slice. Reads and computes outside of a transaction, and writes with `step.save`. In a
   * dry run it returns what it would do.
   */
  run(step: RepairStep): Promise<RepairOutcome>
  /** One sentence about the result of all slices. The first part with one writes it. */
  describe?(totals: RepairTotals): string
}

/** What the caller requested. A repair reads the fields that its route has. */
export interface RepairInput {
  readonly agentId?: string | undefined
  readonly batchSize?: number | undefined
  readonly all?: boolean | undefined
  readonly fullSweep?: boolean | undefined
  readonly repair?: boolean | undefined
  readonly semanticEnabled?: boolean | undefined
  readonly semanticThreshold?: number | undefined
  readonly project?: string | undefined
  readonly scope?: string | undefined
  readonly visibility?: string | undefined
}

export interface RepairStep {
  readonly input: RepairInput
  /** Where the last slice ended; null at the beginning. */
  readonly cursor: RepairCursor
  readonly dryRun: boolean
  /** Recorded with each change. */
  readonly actor: RepairActor
  /** Aborts when the daemon stops. */
  readonly signal: AbortSignal
  /**
   * Writes the slice and its position in one transaction: after a kill both exist or neither does.
   * Throws in a dry run.
   */
  save(write: (db: Db) => Promise<RepairOutcome>): Promise<RepairOutcome>
}

interface RepairActor {
  readonly name: string
  readonly type: string
  readonly requestId: string
}

/** A position in the data, which JSON can hold. */
export type RepairCursor = string | number | null | { readonly [name: string]: RepairCursor }

export interface RepairOutcome {
  readonly affected: number
  /** Where the next slice begins; null at the end of the data. */
  readonly next: RepairCursor
  /** Ends this run here. The next run of the action continues at `next`. */
  readonly endsRun?: boolean
  /** Figures that are summed over the slices. */
  readonly counts?: Readonly<Record<string, number>>
  /** Figures of the whole state; a later slice replaces them. */
  readonly details?: Readonly<Record<string, unknown>>
}

export interface RepairTotals {
  readonly affected: number
  readonly counts: Readonly<Record<string, number>>
  readonly details: Readonly<Record<string, unknown>>
  readonly dryRun: boolean
}

/** The repair selected work and could do none of it. Its message is a sentence for people. */
export class RepairFailure extends Error {
  override readonly name = 'RepairFailure'
}
