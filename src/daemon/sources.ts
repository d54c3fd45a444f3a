import { homedir } from 'node:os'
import type { DreamingCapability } from '../capabilities/dreaming/index.ts'
import type { EmbeddingsCapability } from '../capabilities/embeddings/index.ts'
import type { createExtraction } from '../capabilities/extraction/index.ts'
import type { KnowledgeCapability } from '../capabilities/knowledge/index.ts'
import type { OntologyCapability } from '../capabilities/ontology/index.ts'
import { type RecallCapability, recallPerformed } from '../capabilities/recall/index.ts'
import { createSources, sourceRunChanged, sourcesSettings } from '../capabilities/sources/index.ts'
import { readVariables } from '../kernel/config/environment.ts'
import { outboundSettings } from '../kernel/outbound/config.ts'
import { createChunkSearch, readModel } from './create-search.ts'
import type { Kernel } from './kernel.ts'

interface Built {
  readonly embeddings: EmbeddingsCapability
  readonly extraction: ReturnType<typeof createExtraction>
  readonly recall: RecallCapability
  readonly dreaming: DreamingCapability
  readonly knowledge: KnowledgeCapability
  readonly ontology: OntologyCapability
}

/** Sources, and their chunks as a collection of recall. */
export function buildSources(kernel: Kernel, built: Built) {
  const { dreaming, embeddings, extraction, knowledge, ontology, recall } = built
  const { workspace } = kernel.self
  const sources = createSources({
    ...kernel,
    folder: workspace,
    home: homedir(),
    variables: readVariables,
    allowedOrigins: () => kernel.config.read(outboundSettings).allow,
    config: () => kernel.config.read(sourcesSettings),
    embeddings,
    graph: knowledge.sourceGraph,
    attention: dreaming.attention,
    extractor: extraction.extractor,
    engine: createChunkSearch({ ...kernel, readModel, workspace }),
  })
  recall.collections.add(sources.collection)
  ontology.evidenceSources.add(sources.evidenceSource)
  kernel.events.on(recallPerformed, () => sources.pace.yieldToRecalls())
  kernel.events.on(sourceRunChanged, ({ agentId, status }) => {
    if (status === 'complete') dreaming.wake(agentId)
  })
  return sources
}
