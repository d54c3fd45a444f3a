import type { z } from 'zod'
import type { BackgroundWorker } from '../../kernel/capability/capability.ts'
import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { LiveConfig } from '../../kernel/config/live-config.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { FileLocks } from '../../kernel/files/file-lock.ts'
import type { Gate } from '../../kernel/gate/gate.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { measurements } from '../analytics/index.ts'
import type { reportReply } from '../diagnostics/index.ts'

export interface PipelineNeeds {
  readonly host: Pick<Host, 'sleep'>
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  readonly gate: Gate
  readonly jobs: Pick<Jobs, 'counts'>
  readonly locks: FileLocks
  /** The workspace. */
  readonly folder: string
  readonly config: Pick<LiveConfig, 'examine' | 'reload'>
  /** The section `memory.pipelineV2`. */
  readonly settings: () => PipelineSettings
  /** The workers of all capabilities. */
  readonly workers: Pick<ExtensionPoint<BackgroundWorker>, 'list'>
  /** The scored domains, cached for five seconds. */
  readonly report: () => Promise<z.output<typeof reportReply>>
  readonly measurements: () => z.output<typeof measurements>
}

export interface PipelineSettings {
  readonly enabled: boolean
  readonly paused: boolean
  readonly mutationsFrozen: boolean
}
