import type { Db } from '../../kernel/db/database.ts'
import type { Host } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { steeredHost } from '../../kernel/testing/steered-host.ts'
import { readStaticModel } from '../../static-model/index.ts'
import { embeddingSettings } from './config.ts'
import { createEmbeddings, type EmbeddingsCapability } from './index.ts'
import type { KeptVectors } from './kept-vectors.ts'
import { embeddingsMigrations } from './migrations.ts'
import type { EmbeddingsNeeds, MemoriesPort, Words } from './needs.ts'
import { numbersOf, type Reply, startProvider } from './providers/provider-server.fixture.ts'
import { isAmong, isFound } from './store/played.fixture.ts'

/** Where nothing was kept by an earlier run. */
export const nothingKept: KeptVectors = {
  findIdentity: async () => undefined,
  findSample: async () => undefined,
}

export const onEachEngine = testOnEachEngine(embeddingsMigrations)

/** Reading it takes a moment, so the tests of one process share it. */
const model = readStaticModel()

type Kept = Words & { readonly revision: number; readonly live: boolean }

/** Who keeps memories, played by hand: everybody may read everything. */
function playMemories() {
  const kept = new Map<string, Kept>()
  const revisions = { last: 0 }
  const put = (id: string, content: string, changed: Partial<Kept> = {}): Kept => {
    revisions.last += 1
    const words = { id, agentId: 'ada', content, contentHash: `hash of ${content}` }
    const memory = { ...words, revision: revisions.last, live: true, ...changed }
    kept.set(id, memory)
    return memory
  }
  const all = () => [...kept.values()].toSorted((one, other) => one.revision - other.revision)
  const live = () => all().filter(({ live }) => live)
  const unasked = () => Promise.reject(new Error('Not asked for in this test.'))
  const port: MemoriesPort = {
    listChanged: async (_db, { after, limit }) =>
      all()
        .filter(({ revision }) => revision > after)
        .slice(0, limit),
    listWords: async (_db, ids) => live().filter(({ id }) => ids.includes(id)),
    isKept: (id) => isAmong([...kept.keys()])(id),
    isLive: (id) => isAmong(live().map(({ id }) => id))(id),
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
    countUnsettled: unasked,
    countReadable: unasked,
    listReadable: unasked,
  }
  return { port, put, purge: (id: string) => kept.delete(id) }
}

type Given = Partial<Pick<EmbeddingsNeeds, 'outbound' | 'variable'>> & {
  readonly config?: object
  readonly host?: Host
}

/** The needs of a capability that stands alone, what it announces, and the memories there are. */
export function embeddingsNeeds(db: Db, given: Given = {}) {
  const announced: unknown[] = []
  const memories = playMemories()
  const written: { config: object } = { config: given.config ?? {} }
  const needs: EmbeddingsNeeds = {
    ...{ db, background: db, host: steeredHost(), log: createLog('silent') },
    events: { emit: ({ name }, payload) => announced.push([name, payload]) },
    readModel: () => model,
    workspace: '.',
    batchSize: () => 2,
    pollMs: () => 5000,
    outbound: { fetch: () => Promise.reject(new Error('Nothing may go out.')) },
    memories: () => memories.port,
    variable: () => undefined,
    ...given,
    config: () => embeddingSettings.schema.parse(written.config),
  }
  return { needs, announced, memories, written }
}

/** The identities of the model that comes with the package, and of the one behind the address. */
export const bundled = 'static-en-256/256/int8/plain'
export const served = 'small/3/served/plain'

export const well: Reply = ({ body }) => ({
  body: { embeddings: (body['input'] as string[]).map(numbersOf) },
})

/** A service whose model is behind an address, with three memories that have no vector yet. */
export async function begin(db: Db, reply: Reply) {
  const { url, outbound, asked } = await startProvider(reply)
  const given = embeddingsNeeds(db, { outbound })
  for (const id of ['one', 'two', 'three']) given.memories.put(id, `the ${id} harbour`)
  const config = { provider: 'ollama', model: 'small', base_url: url }
  return { ...given, asked, config }
}

/** The capability with what it embeds. */
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

/** What the route of the status answers. */
export async function readTold({ routes }: EmbeddingsCapability): Promise<unknown> {
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
