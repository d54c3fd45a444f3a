import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import { moduleFile } from '../../kernel/threads/module-file.ts'
import type { ModelParts } from '../../static-model/index.ts'
import type { SearchEngine } from '../engine.ts'
import type { FileVectorFeed, MemoryFeed } from '../feed.ts'
import { createThreadedEngine } from '../thread/threaded-engine.ts'

export interface EmbeddedEngineNeeds extends Omit<SearchWorkerOptions, 'model'> {
  readonly readModel: () => Promise<ModelParts>
  readonly host: Host
  readonly log: Log
}

/** The in-memory index of a SQLite file, in a worker thread. */
export function createEmbeddedEngine(needs: EmbeddedEngineNeeds): SearchEngine {
  const { host, log, readModel, ...options } = needs
  const file = moduleFile(import.meta.url, './thread/search-worker')
  const program = async () => ({ file, options: { ...options, model: await readModel() } })
  return createThreadedEngine({ host, log, program })
}

/** Worker data of the search thread. */
export interface SearchWorkerOptions {
  readonly file: string
  readonly snapshotFile: string
  /** Rows to read before the first snapshot is written. */
  readonly snapshotAfter?: number
  readonly memoryFeed: MemoryFeed
  readonly vectorFeed: FileVectorFeed
  /** In shared memory. */
  readonly model: ModelParts
}
