import type { ModelParts } from '../../capabilities/embeddings/static-model/index.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import { moduleFile } from '../../kernel/threads/module-file.ts'
import type { SearchEngine } from '../engine.ts'
import type { FileVectorFeed, MemoryFeed } from '../feed.ts'
import { createThreadedEngine } from '../thread/threaded-engine.ts'

export interface EmbeddedEngineNeeds extends Omit<SearchWorkerOptions, 'model'> {
  readonly readModel: () => Promise<ModelParts>
  readonly host: Host
  readonly log: Log
}

/** The index of a SQLite file, in memory. */
export function createEmbeddedEngine(needs: EmbeddedEngineNeeds): SearchEngine {
  const { host, log, readModel, ...options } = needs
  const file = moduleFile(import.meta.url, './thread/search-worker')
  const program = async () => ({ file, options: { ...options, model: await readModel() } })
  return createThreadedEngine({ host, log, program })
}

/** What the thread is started with: what it reads and where it keeps what it has made of it. */
export interface SearchWorkerOptions {
  readonly file: string
  readonly snapshotFile: string
  /** How many rows at least are read before a snapshot is written. */
  readonly snapshotAfter?: number
  readonly memoryFeed: MemoryFeed
  readonly vectorFeed: FileVectorFeed
  /** Shared with whoever has read it. */
  readonly model: ModelParts
}
