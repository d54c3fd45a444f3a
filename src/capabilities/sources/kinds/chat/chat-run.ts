import type { SourcesOptions } from '../../needs.ts'
import { RemoteError } from '../remote-api.ts'
import type { Channel, ChannelRun } from './channel-run.ts'

export interface ChatNeeds extends Pick<SourcesOptions, 'host' | 'outbound' | 'allowedOrigins'> {
  /** `sources.chat.apiUrl` */
  readonly apiUrl: () => string
}

export interface ChatRun extends ChannelRun {
  scanned: number
  failures: number
  /** By their ids. Messages of these channels stay. */
  readonly channels: Map<string, Channel>
}

/** A reply that an item cannot be read from is its failure alone. */
export async function attempt(
  run: ChatRun,
  path: string,
  read: () => Promise<void>,
): Promise<void> {
  run.context.report({ currentPath: path })
  try {
    await read()
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    run.failures += 1
    const message = `${path}: ${error.message}`
    await run.context.fail({ path, message, recoverable: error.isRecoverable })
  }
  run.scanned += 1
  run.context.report({ scanned: run.scanned, total: run.scanned })
}
