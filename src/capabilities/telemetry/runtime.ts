import { createGone } from './gone.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { TelemetryNeeds } from './needs.ts'
import { createRecorder, type Recorder } from './recorder.ts'

/** With what the parts of this capability share. */
export interface TelemetryRuntime extends TelemetryNeeds {
  readonly ledger: Ledger
  readonly recorder: Recorder
  readonly gone: ReturnType<typeof createGone>
  /** When all that was heard is kept, and all that is gone is cut. */
  settled(): Promise<void>
}

export function createRuntime(needs: TelemetryNeeds): TelemetryRuntime {
  const ledger = createLedger(needs)
  const recorder = createRecorder(needs)
  const heard = { settled: () => Promise.all([ledger.settled(), recorder.settled()]) }
  const gone = createGone(needs, heard)
  const settled = async () => {
    await heard.settled()
    await gone.settled()
  }
  return { ...needs, ledger, recorder, gone, settled }
}
