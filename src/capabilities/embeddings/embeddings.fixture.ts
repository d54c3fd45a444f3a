import type { Db } from '../../kernel/db/database.ts'
import type { Host } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { readStaticModel } from '../../static-model/index.ts'
import { embeddingSettings } from './config.ts'
import { createEmbeddings, type EmbeddingsCapability } from './index.ts'
import { embeddingsMigrations } from './migrations.ts'
import type { EmbeddableText, EmbeddingsNeeds, MemoriesPort } from './needs.ts'
import { numbersOf, type Reply, startProvider } from './providers/provider-server.fixture.ts'
import { isAmong, isFound } from './store/fake-predicates.fixture.ts'
import { type HasVector, hasVectorOf } from './store/vectors.ts'
import type { StoredVectors } from './stored-vectors.ts'

/** No variable and no secret exists. */
export const noCredentials = { resolve: async () => undefined }

/** A database without stored vectors. */
export const nothingStored: StoredVectors = {
  findIdentity: async () => undefined,
  findSample: async () => undefined,
}

export const onEachEngine = testOnEachEngine(embeddingsMigrations)

/** Shared by the tests of one process, because loading is slow. */
const model = readStaticModel()

type Kept = EmbeddableText & { readonly revision: number; readonly live: boolean }

/** An in-memory source of memories without access control. */
function createFakeMemories() {
  const stored = new Map<string, Kept>()
  const revisions = { last: 0 }
  const put = (id: string, content: string, changed: Partial<Kept> = {}): Kept => {
    revisions.last += 1
    const words = { id, agentId: 'ada', content, contentHash: `hash of ${content}` }
    const memory = { ...words, revision: revisions.last, live: true, ...changed }
    stored.set(id, memory)
    return memory
  }
  const all = () => [...stored.values()].toSorted((one, other) => one.revision - other.revision)
  const live = () => all().filter(({ live }) => live)
  const notUsed = () => Promise.reject(new Error('Not used in this test.'))
  const listUnembedded = async (db: Db, hasVector: HasVector) => {
    const found = await Promise.all(live().map(({ id }) => isFound(db, id, hasVector)))
    return live().filter((_, index) => !found[index])
  }
  const port: MemoriesPort = {
    listChanged: async (_db, { after, limit }) =>
      all()
        .filter(({ revision }) => revision > after)
        .slice(0, limit),
    listTexts: async (_db, ids) => live().filter(({ id }) => ids.includes(id)),
    isStored: (id) => isAmong([...stored.keys()])(id),
    isLive: (id) => isAmong(live().map(({ id }) => id))(id),
    isPresent: (id) => isAmong(live().map(({ id }) => id))(id),
    lockHashes: async (_db, ids) =>
      new Map(
        all()
          .filter(({ id }) => ids.includes(id))
          .map(({ id, contentHash }) => [id, contentHash]),
      ),
    countLive: async (db, hasVector) => {
      const embedded = await Promise.all(live().map(({ id }) => isFound(db, id, hasVector)))
      return { total: embedded.length, embedded: embedded.filter(Boolean).length }
    },
    listWithout: async (db, { agentId, hasVector, limit }) => {
      const found = await listUnembedded(db, hasVector)
      return found.filter((one) => agentId === undefined || one.agentId === agentId).slice(0, limit)
    },
    countWithout: async (db, { agentId, hasVector }) => {
      const found = await listUnembedded(db, hasVector)
      return found.filter((one) => agentId === undefined || one.agentId === agentId).length
    },
    // No memory of these tests replaces another one.
    countCurrent: (db, identity) => port.countLive(db, hasVectorOf(identity)),
    countSuperseded: async () => ({ total: 0, embedded: 0 }),
    countUnprocessed: notUsed,
    countReadable: notUsed,
    listReadable: notUsed,
  }
  return { port, put, purge: (id: string) => stored.delete(id) }
}

type Given = Partial<Pick<EmbeddingsNeeds, 'outbound'>> & {
  readonly config?: object
  readonly host?: Host
}

/** Needs of an isolated capability, with its emitted events and its memories. */
export function embeddingsNeeds(db: Db, given: Given = {}) {
  const emitted: unknown[] = []
  const memories = createFakeMemories()
  const written: { config: object } = { config: given.config ?? {} }
  const needs: EmbeddingsNeeds = {
    db,
    background: db,
    host: manualClockHost(),
    log: createLog('silent'),
    events: { emit: ({ name }, payload) => emitted.push([name, payload]) },
    readModel: () => model,
    workspace: '.',
    batchSize: () => 2,
    pollMs: () => 5000,
    outbound: { fetch: () => Promise.reject(new Error('Outbound requests are not allowed.')) },
    memories: () => memories.port,
    credentials: noCredentials,
    ...given,
    config: () => embeddingSettings.schema.parse(written.config),
  }
  return { needs, emitted, memories, written }
}

/** Identities of the bundled and of the remote model. */
export const bundled = 'static-en-256/256/int8/plain'
export const served = 'small/3/served/plain'

export const well: Reply = ({ body }) => ({
  body: { embeddings: (body['input'] as string[]).map(numbersOf) },
})

/** A remote model and three memories without vectors. */
export async function begin(db: Db, reply: Reply) {
  const { url, outbound, requests } = await startProvider(reply)
  const given = embeddingsNeeds(db, { outbound })
  for (const id of ['one', 'two', 'three']) given.memories.put(id, `the ${id} harbour`)
  const config = { provider: 'ollama', model: 'small', base_url: url }
  return { ...given, requests, config }
}

/** The capability with its source of memories. */
export function connect(needs: EmbeddingsNeeds) {
  const embeddings = createEmbeddings(needs)
  embeddings.subjects.add(needs.memories())
  embeddings.subjects.seal()
  return embeddings
}

export async function start(needs: EmbeddingsNeeds) {
  const embeddings = connect(needs)
  await embeddings.start()
  return embeddings
}

/** The reply of the status route. */
export async function readStatusReply({ routes }: EmbeddingsCapability): Promise<unknown> {
  return await routes.find(({ name }) => name === 'embeddings.status')?.handle({} as never)
}

export async function countRows(db: Db, identity: string): Promise<number> {
  const rows = await db
    .withTables<{ memoryVectors: { identity: string } }>()
    .selectFrom('memoryVectors')
    .select('identity')
    .where('identity', '=', identity)
    .execute()
  return rows.length
}

/** Events without a listener. */
export const noEvents = { emit: () => {} }
