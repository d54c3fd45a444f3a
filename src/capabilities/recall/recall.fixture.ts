import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import { createLog } from '../../kernel/log/log.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { noEmbeddings } from '../../kernel/testing/no-embeddings.ts'
import { sealedPoint } from '../../kernel/testing/sealed-point.ts'
import type { EngineQuery, SearchEngine } from '../../search/index.ts'
import { createNullEngine } from '../../search/index.ts'
import { agentsModule, createAgents } from '../agents/index.ts'
import { createMemory, memoryMigrations, memorySettings } from '../memory/index.ts'
import { createAccessCounter } from './access-counter.ts'
import { rerankerSettings, searchSettings, summaryCardSettings } from './config.ts'
import { recallMigrations } from './migrations.ts'
import type { RecallVerbNeeds } from './recall.ts'
import { type RecallRequest, recallBody } from './schemas.ts'

export const onEachEngine = testOnEachEngine([
  ...agentsModule.migrations,
  ...memoryMigrations,
  ...recallMigrations,
])

/** The real capabilities, a function that inserts memories, and the emitted events. */
export async function recallNeeds(db: Db) {
  const host = fixedHost()
  const announced: unknown[] = []
  const events: Pick<Events, 'emit'> = {
    emit: ({ name }, payload) => announced.push([name, payload]),
  }
  const agents = createAgents({ db, host, removals: { list: () => [] } })
  const log = createLog('silent')
  const memory = createMemory({
    db,
    host,
    log,
    events,
    agents,
    codexHome: '/nowhere',
    secretPolicy: () => 'redact',
    embeddings: noEmbeddings,
    config: () => memorySettings.schema.parse(undefined),
  })
  const modelConfig = () => ({
    reranker: rerankerSettings.schema.parse(undefined),
    summaryCard: summaryCardSettings.schema.parse(undefined),
  })
  const needs: RecallVerbNeeds = {
    modelConfig,
    summaryCards: { create: async () => [] },
    db,
    host,
    log,
    events,
    agents,
    memory,
    config: () => searchSettings.schema.parse(undefined),
    engine: createNullEngine(),
    embeddings: noVectors,
    graph: sealedPoint(),
    collections: sealedPoint(),
    transcripts: { search: async () => [], listSummaries: async () => [] },
    counter: createAccessCounter({ host, memory, log }),
    models: noModels,
  }
  for (const name of ['ada', 'carol']) await agents.register(db, callerFor(name))
  return { needs, announced }
}

const noModels: RecallVerbNeeds['models'] = {
  run: () => Promise.reject(new Error('no model')),
  isReady: () => false,
}

const noVectors: RecallVerbNeeds['embeddings'] = {
  embedQuery: async () => undefined,
  embedNow: () => undefined,
  vectorOf: async () => undefined,
  activeIdentity: () => '',
}

type Candidate = Awaited<ReturnType<SearchEngine['search']>>['candidates'][number]

/** An index and a model that return configured data and record their queries. */
export function stubEngine(candidates: readonly (Partial<Candidate> & { readonly id: string })[]) {
  const queries: EngineQuery[] = []
  const known = candidates.map((candidate) => ({
    score: 0.5,
    source: 'hybrid' as const,
    evidence: { lexical: 0.5, soft: 0, vector: 0.5, hint: 0 },
    ...candidate,
  }))
  const answer = { candidates: known, timings: [{ name: 'scan', durationMs: 1 }] }
  const engine: SearchEngine = {
    ...createNullEngine(),
    health: () => ({ state: 'ready', rows: known.length, vectors: known.length, revision: 1 }),
    search: async (query) => {
      queries.push(query)
      return answer
    },
    similar: async ({ id, limit }) => ({
      ...answer,
      candidates: known.filter((near) => near.id !== id).slice(0, limit),
    }),
  }
  const vector = Float32Array.of(1, 0)
  const embeddings: RecallVerbNeeds['embeddings'] = {
    embedQuery: async () => ({ identity: 'model', vector }),
    embedNow: () => undefined,
    vectorOf: async () => vector,
    activeIdentity: () => 'model',
  }
  return { engine, embeddings, queries }
}

/** Rows as they are at rest, for what only other doors can write. */
export interface MemoryRow {
  readonly id: string
  readonly content: string
  readonly [column: string]: unknown
}

type Tables = {
  memories: Readonly<Record<string, unknown>>
  memoryHints: Readonly<Record<string, unknown>>
  temporalEdges: Readonly<Record<string, unknown>>
  memoryFeedback: Readonly<Record<string, unknown>>
}
export const rows = (db: Db) => db.withTables<Tables>()

export async function insert(db: Db, ...memories: readonly MemoryRow[]): Promise<void> {
  for (const memory of memories)
    await rows(db)
      .insertInto('memories')
      .values({
        agentId: 'ada',
        visibility: 'global',
        contentHash: memory.id,
        type: 'fact',
        memoryKind: 'episodic',
        importance: 0.5,
        pinned: 0,
        who: 'ada',
        sourceType: 'manual',
        extractionStatus: 'none',
        version: 1,
        revision: 1,
        createdAt: '2025-06-01T00:00:00.000Z',
        updatedAt: '2025-06-01T00:00:00.000Z',
        updatedBy: 'ada',
        ...memory,
      })
      .execute()
}

export function ask(query: string, more: object = {}): RecallRequest {
  return recallBody.parse({ query, ...more })
}
