import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { createJobs } from '../../kernel/jobs/jobs.ts'
import { jobsMigrations } from '../../kernel/jobs/migrations.ts'
import { createLog } from '../../kernel/log/log.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { noEmbeddings } from '../../kernel/testing/no-embeddings.ts'
import { agentsModule, createAgents } from '../agents/index.ts'
import { createMemory, memoryMigrations, memorySettings } from '../memory/index.ts'
import { createKnowledge, knowledgeModule, traversalSettings } from './index.ts'
import type { ErasureListener } from './ports.ts'
import type { GraphWrite, Source, WriteRequest } from './write/graph-write.ts'

export const knowledgeTables = [
  ...jobsMigrations,
  ...agentsModule.migrations,
  ...memoryMigrations,
  ...knowledgeModule.migrations,
]
export const onEachEngine = testOnEachEngine(knowledgeTables)

type Knowledge = ReturnType<typeof createKnowledge>

/** The graph with the real memory, and a clock that the test moves. */
export function knowledgeKit(db: Db, listeners: readonly ErasureListener[] = []) {
  const host = manualClockHost()
  const log = createLog('silent')
  const agents = createAgents({ db, host, removals: { list: () => [] } })
  const jobs = createJobs({ db, host, log })
  const memory = createMemory({
    db,
    host,
    log,
    agents,
    events: { emit: () => undefined },
    codexHome: '/nowhere',
    config: () => memorySettings.schema.parse(undefined),
    embeddings: noEmbeddings,
    secretPolicy: () => 'redact',
  })
  const config = () => ({ traversal: traversalSettings.schema.parse(undefined) })
  const needs = { db, host, log, jobs, memory, agents, config }
  const knowledge = createKnowledge(needs)
  const erased: string[] = []
  knowledge.erasures.add({
    erased: async (_db, { ids }) => void erased.push(...ids),
    withheld: () => Promise.resolve(),
  })
  for (const listener of listeners) knowledge.erasures.add(listener)
  const points = [...memory.extensionPoints, ...knowledge.extensionPoints]
  for (const { seal } of points) seal()
  const { write } = knowledge
  /** Runs one operation, and returns its result with the write. */
  const run = async <Result>(
    work: (operation: GraphWrite, write: Knowledge['write']) => Promise<Result>,
    request: Partial<Omit<WriteRequest, 'db'>> = {},
  ) =>
    transaction(db, async (db) => {
      const operation = write.begin({ ...defaultRequest, ...request, db })
      const result = await work(operation, write)
      await write.finish(db, [operation])
      return { result, write: operation }
    })
  /** Tells the graph that memories changed. */
  const follow = (event: 'forgotten' | 'recovered' | 'purged', ...ids: string[]) =>
    transaction(db, (db) =>
      knowledge.evidenceDependant[event](db, { agentId: 'ada', kind: 'memory', ids }),
    )
  return { needs, host, jobs, memory, knowledge, write, run, follow, erased }
}

const defaultRequest = {
  agentId: 'ada',
  actor: callerFor('ada'),
  proposalId: 'proposal-1',
  sources: [],
}

/** A memory as evidence. */
export function memorySource(id: string, more: Partial<Source> = {}): Source {
  return {
    sourceKind: 'memory',
    sourceId: id,
    quote: `words of ${id}`,
    sourceTime: '2026-01-01T00:00:00.000Z',
    visibility: 'global',
    project: null,
    ...more,
  }
}

interface ClaimInput {
  readonly entity: string
  readonly aspect?: string
  readonly key?: string
  readonly value: string
  readonly kind?: 'constraint'
  readonly mode?: 'add' | 'set'
  readonly allowsLate?: boolean
  readonly force?: boolean
}

/** Writes a claim with its entity and aspect. */
export async function putClaim(
  operation: GraphWrite,
  write: Knowledge['write'],
  { entity: name, aspect: aspectName = 'tools', key = 'editor', ...input }: ClaimInput,
) {
  const { row: entity } = await write.upsertEntity(operation, { name })
  const { row: aspect } = await write.upsertAspect(operation, entity, { name: aspectName })
  const value = { aspect, claimKey: key, value: input.value, kind: input.kind }
  const { allowsLate = false, force = false } = input
  const written =
    input.mode === 'set'
      ? await write.setValue(operation, { ...value, allowsLate, force })
      : await write.addValue(operation, value)
  return { entity, aspect, ...written }
}

const graphTables = [
  'entities',
  'entityAliases',
  'entityAspects',
  'entityAttributes',
  'entityDependencies',
  'knowledgeCitations',
  'memoryEntityMentions',
  'entityNames',
  'entityNameWords',
] as const

/** Every row of the graph, and the state of its derived memories. */
export async function dumpGraph(db: Db) {
  const all = db.withTables<Record<string, Record<string, unknown>>>()
  const dump: Record<string, string[]> = {}
  for (const table of graphTables) {
    const rows = await all.selectFrom(table).selectAll().execute()
    const texts = rows.map(({ memoryId, ...row }) =>
      JSON.stringify(table === 'memoryEntityMentions' ? { memoryId, ...row } : row),
    )
    dump[table] = texts.toSorted()
  }
  const memories = await all
    .selectFrom('memories')
    .select(['id', 'content', 'supersededBy', 'visibility', 'project'])
    .where('deletedAt', 'is', null)
    .execute()
  return { ...dump, memories: memories.map((row) => JSON.stringify(row)).toSorted() }
}
