import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../kernel/db/database.ts'
import { realHost } from '../../kernel/host/host.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { engines, openTestPostgres } from '../../kernel/testing/engines.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { createIndexEngine } from '../../search/embedded/thread/index-engine.ts'
import { createEngineHarness, model, serverFeeds } from '../../search/engine.fixture.ts'
import { createNullEngine, type EngineAnswer, type SearchEngine } from '../../search/engine.ts'
import { connectTo } from '../../search/postgres/memory-index.fixture.ts'
import { createPostgresEngine } from '../../search/postgres/postgres-engine.ts'
import { ask, recallNeeds } from './recall.fixture.ts'
import { recall } from './recall.ts'
import { findSimilar } from './similar.ts'

const ada = callerFor('ada')
beforeAll(async () => {
  await model
})

const inMemory = engines.map((engine) => ({ ...engine, form: 'memory' as const }))
const inTables = { engine: 'postgres', form: 'tables', open: openTestPostgres } as const
const forms = [...inMemory, inTables]

/** On the index of that database, by words and by meaning. */
const onRealEngine = (name: string, holds: (place: Place) => Promise<void>) =>
  test.for(forms)(`${name} ($engine, $form)`, { timeout: 60_000 }, async ({ open, form }) => {
    const database = await open()
    const harness = await createEngineHarness(database, await engineOn(database, form))
    const { needs } = await recallNeeds(database.db)
    await holds({ ...harness, needs, form })
  })
type Place = Awaited<ReturnType<typeof createEngineHarness>> &
  Pick<Awaited<ReturnType<typeof recallNeeds>>, 'needs'> & { readonly form: 'memory' | 'tables' }

onRealEngine('asOf skips memories that were not valid then', async (place) => {
  const { insert, addValidity, needs, open } = place
  const createdAt = '2019-01-01T00:00:00.000Z'
  const [from, until] = ['2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z']
  for (let number = 0; number < 60; number++) {
    await insert(`over-${number}`, `kestrel nest kestrel ${number}`, { createdAt })
    await addValidity(`over-${number}`, from, until)
  }
  for (let number = 0; number < 5; number++)
    await insert(`holds-${number}`, `${number} there is also a kestrel in this garden`, {
      createdAt,
    })
  const engine = await open()
  const recallAt = async (asOf: string, engine: SearchEngine) => {
    const { results, meta } = await recall(
      { ...needs, engine },
      ada,
      ask('kestrel nest', { asOf, limit: 5 }),
    )
    expect(meta.degradation?.cause).toBe(
      engine.health().state === 'absent' ? 'no_index' : 'no_vector',
    )
    return results.map(({ id }) => id).toSorted()
  }

  for (const each of [engine, createNullEngine()]) {
    const then = [0, 1, 2, 3, 4].map((number) => `holds-${number}`)
    expect(await recallAt('2024-01-01T00:00:00.000Z', each)).toEqual(then)
    const during = await recallAt('2020-06-01T00:00:00.000Z', each)
    expect(during.map((id) => id.slice(0, 4))).toEqual(Array(5).fill('over'))
  }
})

onRealEngine('a memory that was recalled before takes no place', async (place) => {
  const { insert, embed, needs, open } = place
  for (let number = 0; number < 70; number++) {
    await insert(`made-${number}`, `kestrel nest ${number}`, { sourceType: 'aggregate-recall' })
    await embed(`made-${number}`, 'tiny', [[1, 0]])
  }
  await insert('garden', 'somewhere in this garden there is also a kestrel')
  await insert('orchard', 'in the orchard nothing of the kind was seen')
  for (const id of ['garden', 'orchard']) await embed(id, 'tiny', [[0.6, 0.8]])
  const searchNeeds = { ...needs, engine: await open() }
  const vector = Float32Array.of(0.6, 0.8)
  const embeddings = {
    embedNow: () => undefined,
    embedQuery: async () => undefined,
    vectorOf: async () => vector,
    activeIdentity: () => 'tiny',
  }
  const evidence = async (more: object) =>
    (await recall(searchNeeds, ada, ask('kestrel nest', { limit: 5, ...more }))).results.map(
      ({ id }) => id,
    )

  expect(await evidence({ aggregate: true })).toEqual(['garden'])
  expect(await evidence({})).toHaveLength(5)
  const { rows } = await findSimilar({ ...searchNeeds, embeddings }, ada, {
    id: 'garden',
    limit: 2,
    type: undefined,
  })
  expect(rows.map(({ memory }) => memory.id)).toEqual(['orchard'])
})

async function engineOn(
  database: Database,
  form: 'memory' | 'tables',
): Promise<() => SearchEngine> {
  const folder = await temporaryFolder()
  const of = { host: realHost, onHealth: () => undefined, onWarning: () => undefined }
  const snapshotFile = join(folder, 'search', 'memories.snap')
  const loadedModel = await model
  const connection = await connectTo(database)
  return () => {
    const { db } = database
    const engine =
      form === 'tables'
        ? createPostgresEngine({ ...of, db, readModel: () => model, feeds: serverFeeds })
        : createIndexEngine({ ...of, connection, snapshotFile, model: loadedModel })
    onTestFinished(() => engine.close())
    return engine
  }
}

onRealEngine('a search returns the rows of its hits', async ({ insert, needs, open, form }) => {
  for (const number of [1, 2, 3])
    await insert(`memory-${number}`, `a cat ${number}`, { pinned: number === 1 ? 1 : 0 })
  const engine = await open()
  const answers: EngineAnswer[] = []
  const withRows: SearchEngine = {
    ...engine,
    search: async (query) => {
      answers.push(await engine.search(query))
      return answers.at(-1) ?? { candidates: [], timings: [] }
    },
  }
  const withoutRows: SearchEngine = {
    ...engine,
    search: async (query) => {
      const { candidates, timings } = await engine.search(query)
      return { candidates, timings }
    },
  }
  const resultsOf = async (engine: SearchEngine) =>
    (await recall({ ...needs, engine }, ada, ask('cat', { limit: 5 }))).results

  await vi.waitFor(async () => {
    expect(await resultsOf(withRows)).toEqual(await resultsOf(withoutRows))
    const { selected } = answers.at(-1) ?? {}
    expect(selected?.rows.length).toBe(form === 'tables' ? undefined : 3)
  }, 10_000)
  expect(await resultsOf(withRows)).toHaveLength(3)
  expect((await recall({ ...needs, engine: withRows }, ada, ask('dog', {}))).results).toEqual([])
})

onRealEngine('a day query returns memories of the speaker that it names', async (place) => {
  const { insert, needs, open } = place
  const createdAt = new Date(2025, 5, 5, 12).toISOString()
  await insert('hotel', 'Casa Azul costs sixty euros', { createdAt, who: 'ben', sessionId: 's' })
  await insert('other', 'We should book soon', { createdAt, who: 'ada', sessionId: 's' })
  await insert('later', 'The ferry leaves at nine', { who: 'ben', sessionId: 't' })
  const engine = await open()

  const { results, meta } = await recall(
    { ...needs, engine },
    ada,
    ask('what did Ben say on 2025-06-05'),
  )

  expect(meta.temporal).toMatchObject({ mode: 'filter', contentQuery: 'Ben' })
  expect(results).toMatchObject([{ subject_id: 'hotel', who: 'ben' }])
})
