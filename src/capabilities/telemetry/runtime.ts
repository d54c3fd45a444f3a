import { createErasure } from './erasure.ts'
import type { TelemetryNeeds } from './needs.ts'
import { createRecorder, createSearchLog, type Recorder, type SearchLog } from './recorder.ts'

/** The shared parts of this capability. */
export interface TelemetryRuntime extends TelemetryNeeds {
  readonly searchLog: SearchLog
  readonly recorder: Recorder
  readonly erasure: ReturnType<typeof createErasure>
  /** Resolves when all events are written and all erasures are done. */
  flush(): Promise<void>
}

export function createRuntime(needs: TelemetryNeeds): TelemetryRuntime {
  const ledger = createSearchLog(needs)
  const recorder = createRecorder(needs)
  const recording = { flush: () => Promise.all([ledger.flush(), recorder.flush()]) }
  const erasure = createErasure(needs, recording)
  const flush = async () => {
    await recording.flush()
    await erasure.flush()
  }
  return { ...needs, searchLog: ledger, recorder, erasure, flush }
}
