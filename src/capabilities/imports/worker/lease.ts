import type { ImportJob } from '../import-job.ts'
import type { ImportsNeeds } from '../needs.ts'

const leaseMs = 300_000

export interface JobRun {
  readonly needs: ImportsNeeds
  /** As leased; its state may be older than that of the database. */
  readonly job: ImportJob
  readonly signal: AbortSignal
}

/** Another control or another daemon has taken the job. Nothing of this run is written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export function leaseUntil(now: Date): string {
  return new Date(now.getTime() + leaseMs).toISOString()
}
