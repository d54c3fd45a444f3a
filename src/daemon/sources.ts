import { homedir } from 'node:os'
import type { EmbeddingsCapability } from '../capabilities/embeddings/index.ts'
import type { createExtraction } from '../capabilities/extraction/index.ts'
import type { RecallCapability } from '../capabilities/recall/index.ts'
import { createSources, sourcesSettings } from '../capabilities/sources/index.ts'
import { readVariables } from '../kernel/config/environment.ts'
import { outboundSettings } from '../kernel/outbound/config.ts'
import { createChunkSearch, readModel } from './create-search.ts'
import type { Kernel } from './kernel.ts'

interface Built {
  readonly embeddings: EmbeddingsCapability
  readonly extraction: ReturnType<typeof createExtraction>
  readonly recall: RecallCapability
}

/** Sources, and their chunks as a collection of recall. */
export function buildSources(kernel: Kernel, { embeddings, extraction, recall }: Built) {
  const { workspace } = kernel.self
  const sources = createSources({
    ...kernel,
    folder: workspace,
    home: homedir(),
    variables: readVariables,
    allowedOrigins: () => kernel.config.read(outboundSettings).allow,
    config: () => kernel.config.read(sourcesSettings),
    embeddings,
    extractor: extraction.extractor,
    engine: createChunkSearch({ ...kernel, readModel, workspace }),
  })
  recall.collections.add(sources.collection)
  return sources
}
