import { join } from 'node:path'
import { agentsModule, createAgents } from '../capabilities/agents/index.ts'
import { createDreaming, dreamingModule, dreamingSettings } from '../capabilities/dreaming/index.ts'
import {
  createEmbeddings,
  embeddingSettings,
  embeddingsModule,
  embeddingTrackerSettings,
} from '../capabilities/embeddings/index.ts'
import { createExtraction, extractionModule } from '../capabilities/extraction/index.ts'
import { createGateway, gatewayModule } from '../capabilities/gateway/index.ts'
import {
  agentSettings,
  createClock,
  createHooks,
  hooksModule,
  hooksSettings,
} from '../capabilities/hooks/index.ts'
import { createImports, importsModule } from '../capabilities/imports/index.ts'
import {
  createInference,
  extractionSettings,
  inferenceModule,
  inferenceSettings,
} from '../capabilities/inference/index.ts'
import {
  createKnowledge,
  knowledgeModule,
  traversalSettings,
} from '../capabilities/knowledge/index.ts'
import { createMemory, memoryModule, memorySettings } from '../capabilities/memory/index.ts'
import {
  createOntology,
  knowledgeSettings,
  ontologyModule,
} from '../capabilities/ontology/index.ts'
import { pluginsModule } from '../capabilities/plugins/index.ts'
import {
  createRecall,
  recallModule,
  rerankerSettings,
  searchSettings,
  summaryCardSettings,
} from '../capabilities/recall/index.ts'
import { secretsModule } from '../capabilities/secrets/index.ts'
import {
  continuitySettings,
  createSessions,
  sessionsModule,
  sessionsSettings,
} from '../capabilities/sessions/index.ts'
import { skillsModule } from '../capabilities/skills/index.ts'
import { sourcesModule } from '../capabilities/sources/index.ts'
import {
  createSynthesis,
  synthesisModule,
  synthesisSettings,
} from '../capabilities/synthesis/index.ts'
import {
  createTelemetry,
  telemetryModule,
  telemetrySettings,
} from '../capabilities/telemetry/index.ts'
import {
  createTranscripts,
  transcriptsModule,
  transcriptsSettings,
} from '../capabilities/transcripts/index.ts'
import { createRegistry } from '../kernel/capability/registry.ts'
import { readVariables } from '../kernel/config/environment.ts'
import { processSettings } from '../kernel/process/environment.ts'
import { createSearch, readModel } from './create-search.ts'
import { toLocalUrl } from './daemon-file.ts'
import { buildPlugins, buildSecrets, buildSkills } from './extension.ts'
import type { Kernel } from './kernel.ts'
import { buildSources } from './sources.ts'

const telemetryOff = { enabled: false, memorySearchQaEnabled: false }

/**
 * The capabilities about content, followed by those of `documents.ts` and `operations.ts`. The order of these lines is
 * the order of construction, start and, reversed, stop.
 */
export const contentRegistry = createRegistry<Kernel>()
  .add(agentsModule, ({ db, host, removals }) => createAgents({ db, host, removals }))
  .add(inferenceModule, (kernel) =>
    createInference({
      ...kernel,
      settings: {
        read: () => ({
          section: kernel.config.read(inferenceSettings),
          extraction: kernel.config.read(extractionSettings),
        }),
        onChange: kernel.config.onChange,
      },
      concurrency: kernel.config.current().inferenceConcurrency,
      variables: readVariables,
      pass: () => kernel.config.read(processSettings).pass,
      daemonUrl: () => toLocalUrl(kernel.self.bindHost, kernel.self.port()),
    }),
  )
  .add(extractionModule, createExtraction)
  .add(embeddingsModule, (kernel) =>
    createEmbeddings({
      ...kernel,
      config: () => kernel.config.read(embeddingSettings),
      batchSize: () => kernel.config.read(embeddingTrackerSettings).batchSize,
      pollMs: () => kernel.config.read(embeddingTrackerSettings).pollMs,
      workspace: kernel.self.workspace,
      readModel,
    }),
  )
  .add(gatewayModule, (kernel, built) => createGateway({ ...kernel, ...built }))
  .add(transcriptsModule, (kernel, { inference }) =>
    createTranscripts({
      ...kernel,
      models: inference.models,
      folder: kernel.self.workspace,
      config: () => kernel.config.read(transcriptsSettings),
    }),
  )
  .add(memoryModule, (kernel, { agents, embeddings, transcripts }) => {
    const memory = createMemory({
      ...kernel,
      config: () => kernel.config.read(memorySettings),
      codexHome: kernel.config.current().codexHome,
      agents,
      embeddings,
      vectors: embeddings,
      transcripts,
    })
    embeddings.subjects.add(memory.vectorSources)
    transcripts.linkedMemories.add({ read: memory.readLinked })
    return memory
  })
  .add(recallModule, (kernel, { agents, embeddings, inference, memory, transcripts }) => {
    const recall = createRecall({
      ...kernel,
      config: () => kernel.config.read(searchSettings),
      modelConfig: () => ({
        reranker: kernel.config.read(rerankerSettings),
        summaryCard: kernel.config.read(summaryCardSettings),
      }),
      engine: createSearch({
        database: kernel.database,
        events: kernel.events,
        host: kernel.host,
        log: kernel.log,
        readModel,
        workspace: kernel.self.workspace,
        index: kernel.config.read(searchSettings).index,
      }),
      transcripts: {
        search: transcripts.searchTranscripts,
        listSummaries: transcripts.listRedactedSummaries,
      },
      agents,
      embeddings,
      memory,
      models: inference.models,
    })
    transcripts.sessionEvents.add(recall.sessionEvidence)
    return recall
  })
  .add(sessionsModule, (kernel, { agents, memory, transcripts }) => {
    const sessions = createSessions({
      ...kernel,
      config: () => ({
        ...kernel.config.read(sessionsSettings),
        continuity: kernel.config.read(continuitySettings),
      }),
      daemonId: kernel.host.newId(),
      memory: memory.selection,
      agents,
      transcripts,
    })
    memory.sessionGuards.add(sessions.assertInScope)
    return sessions
  })
  .add(synthesisModule, (kernel, { agents, memory, sessions, transcripts }) =>
    createSynthesis({
      ...kernel,
      folder: kernel.self.workspace,
      config: () => kernel.config.read(synthesisSettings),
      memory: memory.selection,
      agents,
      sessions,
      transcripts,
    }),
  )
  .add(hooksModule, (kernel, { agents, memory, recall, sessions, synthesis, transcripts }) =>
    createHooks({
      ...kernel,
      folder: kernel.self.workspace,
      settings: () => ({
        hooks: kernel.config.read(hooksSettings),
        agent: kernel.config.read(agentSettings),
        continuity: kernel.config.read(continuitySettings),
        pipelineEnabled: kernel.config.read(memorySettings).enabled,
      }),
      clock: createClock(),
      agents,
      memory,
      recall,
      sessions,
      synthesis,
      transcripts,
    }),
  )
  .add(pluginsModule, buildPlugins)
  .add(secretsModule, buildSecrets)
  .add(skillsModule, buildSkills)
  .add(knowledgeModule, (kernel, { agents, hooks, memory, recall }) => {
    const knowledge = createKnowledge({
      ...kernel,
      config: () => ({ traversal: kernel.config.read(traversalSettings) }),
      agents,
      memory,
    })
    recall.graph.add(knowledge.graphSource)
    hooks.entities.add(knowledge.entitySource)
    return knowledge
  })
  .add(ontologyModule, (kernel, { inference, knowledge, memory, transcripts }) => {
    const ontology = createOntology({
      ...kernel,
      config: () => kernel.config.read(knowledgeSettings),
      isFilled: () => kernel.config.read(dreamingSettings).enabled,
      knowledge,
      memory,
      models: inference.models,
      transcripts,
    })
    knowledge.erasures.add(ontology.erasure)
    knowledge.overlayMetadata.add(ontology.overlay)
    transcripts.sessionEvents.add(ontology.sessionEvents)
    return ontology
  })
  .add(dreamingModule, (kernel, built) => createDreaming({ ...kernel, ...built }))
  .add(sourcesModule, buildSources)
  .add(telemetryModule, (kernel, { inference, memory, transcripts }) => {
    const telemetry = createTelemetry({
      ...kernel,
      folder: join(kernel.self.workspace, 'runtime', 'telemetry'),
      config: () => ({
        ...kernel.config.read(telemetrySettings),
        ...(kernel.config.current().telemetryOptOut && telemetryOff),
      }),
      memory,
    })
    transcripts.sessionEvents.add(telemetry.sessionEvidence)
    inference.history.add(telemetry.inferenceHistory)
    return telemetry
  })
  .add(importsModule, (kernel, { sources, transcripts }) => {
    const imports = createImports({ ...kernel, sources, transcripts })
    sources.importedRows.add(imports.importedRows)
    return imports
  })
