import type { SourcesOptions } from '../../needs.ts'
import type { SyncContext } from '../kind.ts'
import { type RemoteApi, RemoteError } from '../remote-api.ts'
import type { Attachment } from './messages.ts'
import type { ChatSettings } from './settings.ts'

export interface ChatNeeds extends Pick<SourcesOptions, 'host' | 'outbound' | 'allowedOrigins'> {
  /** `sources.chat.apiUrl` */
  readonly apiUrl: () => string
}

export interface Channel {
  readonly id: string
  readonly name: string
  /** The path of the channel or thread. */
  readonly path: string
}

export interface ChannelRun {
  readonly api: RemoteApi
  /** Reads a file of a message. */
  readonly fetchText: (attachment: Attachment) => Promise<string>
  readonly context: SyncContext
  readonly settings: ChatSettings
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
