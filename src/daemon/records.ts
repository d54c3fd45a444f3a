import { join } from 'node:path'
import { createTelemetry, type telemetryConfig } from '../capabilities/telemetry/index.ts'
import type { transcriptsConfig } from '../capabilities/transcripts/index.ts'
import type { LiveConfig } from '../kernel/config/live-config.ts'
import { createKeptTranscripts } from './transcript-port.ts'

type Told = Omit<Parameters<typeof createTelemetry>[0], 'db' | 'background' | 'config' | 'folder'>
type Kept = Omit<Parameters<typeof createKeptTranscripts>[0], 'telemetry' | 'config'>

type RecordsNeeds = Told &
  Kept & {
    readonly config: LiveConfig<{
      telemetry: typeof telemetryConfig
      transcripts: typeof transcriptsConfig
    }>
  }

const off = { enabled: false, memorySearchQaEnabled: false }

/** What is kept of what was said and done: the transcripts, and how the service is used. */
export function createRecords(needs: RecordsNeeds) {
  const telemetry = createTelemetry({
    ...{ ...needs, ...needs.database },
    folder: join(needs.self.workspace, 'runtime', 'telemetry'),
    config: () => {
      const { capabilities, telemetryOptOut } = needs.config.current()
      return { ...capabilities.telemetry, ...(telemetryOptOut && off) }
    },
  })
  const transcripts = createKeptTranscripts({ ...needs, telemetry })
  return {
    telemetry,
    transcripts,
    close: () => Promise.all([telemetry.close(), transcripts.close()]),
  }
}
