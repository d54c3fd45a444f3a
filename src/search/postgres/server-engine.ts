import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import { moduleFile } from '../../kernel/threads/module-file.ts'
import type { ModelParts } from '../../static-model/index.ts'
import type { SearchEngine } from '../engine.ts'
import { createThreadedEngine } from '../thread/threaded-engine.ts'
import type { Feeds } from './store/feeds.ts'

export interface ServerEngineNeeds extends Omit<ServerWorkerOptions, 'model'> {
  readonly readModel: () => Promise<ModelParts>
  readonly host: Host
  readonly log: Log
}

/** The index of a server, in tables or in memory, in a worker thread with its own connections. */
export function createServerEngine(needs: ServerEngineNeeds): SearchEngine {
  const { host, log, readModel, ...options } = needs
  const file = moduleFile(import.meta.url, './thread/server-search-worker')
  const program = async () => ({ file, options: { ...options, model: await readModel() } })
  return createThreadedEngine({ host, log, program })
}

/** Worker data of the search thread. */
export interface ServerWorkerOptions {
  readonly server: { readonly url: string; readonly connections: number }
  readonly feeds: Feeds
  /** Of an index in memory; without it the index is in tables of the server. */
  readonly snapshot?:
    | { readonly snapshotFile: string; readonly snapshotAfter?: number | undefined }
    | undefined
  /** In shared memory. */
  readonly model: ModelParts
}
