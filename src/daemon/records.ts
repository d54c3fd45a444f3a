import { createTelemetry, type telemetryConfig } from '../capabilities/telemetry/index.ts'
import type { transcriptsConfig } from '../capabilities/transcripts/index.ts'
import type { LiveConfig } from '../kernel/config/live-config.ts'
import { createKeptTranscripts } from './transcript-port.ts'

type Told = Omit<Parameters<typeof createTelemetry>[0], 'db' | 'background' | 'config'>
type Kept = Omit<Parameters<typeof createKeptTranscripts>[0], 'telemetry' | 'config'>

type RecordsNeeds = Told &
  Kept & {
    readonly config: LiveConfig<{
      telemetry: typeof telemetryConfig
      transcripts: typeof transcriptsConfig
    }>
  }

/** What is kept of what was said and done: the transcripts, and how the service is used. */
export function createRecords(needs: RecordsNeeds) {
  const telemetry = createTelemetry({
    ...{ ...needs, ...needs.database },
    config: () => needs.config.current().capabilities.telemetry,
  })
  const transcripts = createKeptTranscripts({ ...needs, telemetry })
  return {
    telemetry,
    transcripts,
    close: () => Promise.all([telemetry.settled(), transcripts.close()]),
  }
}
