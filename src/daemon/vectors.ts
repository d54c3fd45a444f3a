import { createEmbeddings } from '../capabilities/embeddings/index.ts'
import type { MemoryConfig } from '../capabilities/memory/index.ts'
import { readVariable } from '../kernel/config/environment.ts'
import type { Database } from '../kernel/db/database.ts'

type Given = Parameters<typeof createEmbeddings>[0]

interface VectorNeeds
  extends Pick<Given, 'host' | 'log' | 'events' | 'outbound' | 'memories' | 'readModel'> {
  readonly database: Database
  readonly workspace: string
  readonly settings: () => {
    readonly memory: MemoryConfig
    readonly embedding: ReturnType<Given['config']>
  }
}

/** Who makes vectors, as the settings say. */
export function createVectors({ database, settings, ...needs }: VectorNeeds) {
  return createEmbeddings({
    ...needs,
    ...{ db: database.db, background: database.background },
    config: () => settings().embedding,
    batchSize: () => settings().memory.pipelineV2.embeddingTracker.batchSize,
    variable: readVariable,
  })
}
