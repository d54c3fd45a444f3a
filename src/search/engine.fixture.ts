import { expect, vi } from 'vitest'
import { agentsModule } from '../capabilities/agents/index.ts'
import {
  embeddingsModule,
  postgresVectorFeed,
  vectorFeed,
} from '../capabilities/embeddings/index.ts'
import { memoryFeed, memoryFeedOfServer, memoryModule } from '../capabilities/memory/index.ts'
import { recallMigrations } from '../capabilities/recall/migrations.ts'
import type { Database, Db } from '../kernel/db/database.ts'
import { transaction } from '../kernel/db/transaction.ts'
import { createTables } from '../kernel/testing/create-tables.ts'
import { readStaticModel } from '../static-model/index.ts'
import type { EngineHarness } from './contract/harness.fixture.ts'
import type { SearchEngine } from './engine.ts'

/** The bundled model, read once by all tests. */
export const model = readStaticModel()

/** The SQL by which the capabilities let an engine read memories and vectors. */
export const fileFeeds = { memoryFeed, vectorFeed }
export const serverFeeds = { memoryFeed: memoryFeedOfServer, vectorFeed: postgresVectorFeed }

type Row = Readonly<Record<string, unknown>>
type Tables = {
  memories: Row
  memoryRevision: Row
  memoryPurged: Row
  memoryHints: Row
  temporalEdges: Row
  memoryVectors: Row
  embeddingModels: Row
}
const tables = (db: Db) => db.withTables<Tables>()

const createdAt = '2025-06-01T00:00:00.000Z'
const memory = {
  agentId: 'ada',
  visibility: 'private',
  type: 'fact',
  memoryKind: 'semantic',
  importance: 0.5,
  pinned: 0,
  who: 'ada',
  sourceType: 'manual',
  extractionStatus: 'none',
  version: 1,
  createdAt,
  updatedAt: createdAt,
  updatedBy: 'ada',
}

const validEdge = {
  agentId: 'ada',
  subjectType: 'memory',
  facet: 'valid',
  confidence: 1,
  createdAt,
}

export const engineMigrations = [
  ...agentsModule.migrations,
  ...memoryModule.migrations,
  ...embeddingsModule.migrations,
  ...recallMigrations,
]

/** Memories as the capabilities store them, in an empty database, and an engine over it. */
export async function createEngineHarness(
  database: Database,
  create: () => SearchEngine,
): Promise<EngineHarness> {
  await createTables(database, engineMigrations)
  return toEngineHarness(database.db, create)
}

/** The same in a database that has the tables. */
export function toEngineHarness(db: Db, create: () => SearchEngine): EngineHarness {
  const opened: SearchEngine[] = []
  const write = async (work: (db: Db, revision: number) => Promise<unknown>) => {
    await transaction(db, async (db) => work(db, await nextRevision(db)))
    for (const engine of opened) engine.changed()
  }
  return {
    insert: (id, content, more = {}) =>
      write((db, revision) =>
        tables(db)
          .insertInto('memories')
          .values({ ...memory, id, content, contentHash: hashOf(content), revision, ...more })
          .execute(),
      ),
    change: (id, changed) =>
      write((db, revision) => {
        const { content } = changed
        const values = {
          ...changed,
          ...(typeof content === 'string' && { contentHash: hashOf(content) }),
          revision,
        }
        return tables(db).updateTable('memories').set(values).where('id', '=', id).execute()
      }),
    hint: (memoryId, agentId, hint) =>
      write(async (db, revision) => {
        await tables(db).insertInto('memoryHints').values({ memoryId, agentId, hint }).execute()
        await touchMemory(db, memoryId, revision)
      }),
    purge: (id) =>
      write(async (db, revision) => {
        const purged = { revision, id, purgedAt: createdAt }
        await tables(db).insertInto('memoryPurged').values(purged).execute()
        await tables(db).deleteFrom('memoryVectors').where('memoryId', '=', id).execute()
        await tables(db).deleteFrom('memories').where('id', '=', id).execute()
      }),
    addValidity: (id, from, until) =>
      write(async (db, revision) => {
        const edge = { ...validEdge, id: `${id} ${from}`, subjectId: id, startAt: from }
        await tables(db)
          .insertInto('temporalEdges')
          .values({ ...edge, endAt: until ?? null })
          .execute()
        await touchMemory(db, id, revision)
      }),
    embed: (id, identity, vectors) => embed(db, { id, identity, vectors }),
    open: async () => {
      const engine = create()
      opened.push(engine)
      await vi.waitFor(() => expect(engine.health().state).toBe('ready'), { timeout: 10_000 })
      return engine
    },
  }
}

async function touchMemory(db: Db, id: string, revision: number): Promise<void> {
  await tables(db).updateTable('memories').set({ revision }).where('id', '=', id).execute()
}

async function nextRevision(db: Db): Promise<number> {
  const { value } = await tables(db)
    .updateTable('memoryRevision')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .returning('value')
    .executeTakeFirstOrThrow()
  return Number(value)
}

interface Embedding {
  readonly id: string
  readonly identity: string
  readonly vectors: readonly (readonly number[])[]
}

/** Joins the transaction of `db`. */
export async function embed(db: Db, { id, identity, vectors }: Embedding): Promise<void> {
  const dims = vectors[0]?.length ?? 0
  const model = {
    identity,
    model: identity,
    dims,
    quantisation: 'none',
    promptFormat: 'plain',
    state: 'building',
    seenRevision: 0,
    createdAt,
  }
  await transaction(db, async (db) => {
    await tables(db)
      .insertInto('embeddingModels')
      .values(model)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const memory = await tables(db)
      .selectFrom('memories')
      .select(['agentId', 'contentHash'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await tables(db)
      .deleteFrom('memoryVectors')
      .where('memoryId', '=', id)
      .where('identity', '=', identity)
      .execute()
    const rows = vectors.map((vector, passage) => ({
      ...memory,
      memoryId: id,
      identity,
      passage,
      dims,
      createdAt,
      vector: Buffer.from(Float32Array.from(vector).buffer),
    }))
    await tables(db).insertInto('memoryVectors').values(rows).execute()
  })
}

function hashOf(content: string): string {
  return `hash of ${content}`
}
