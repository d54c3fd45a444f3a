import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../kernel/db/database.ts'
import { realHost } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { engines } from '../../kernel/testing/engines.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { createEmbeddedEngine } from '../../search/embedded/embedded-engine.ts'
import { createEngineHarness, fileFeeds, model, serverFeeds } from '../../search/engine.fixture.ts'
import { createNullEngine, type SearchEngine } from '../../search/engine.ts'
import { createPostgresEngine } from '../../search/postgres/postgres-engine.ts'
import { ask, recallNeeds } from './recall.fixture.ts'
import { recall } from './recall.ts'
import { findSimilar } from './similar.ts'

const ada = callerFor('ada')
beforeAll(async () => {
  await model
})

/** On the index of that database, by words and by meaning. */
const onRealEngine = (name: string, holds: (place: Place) => Promise<void>) =>
  test.for(engines)(`${name} ($engine)`, { timeout: 60_000 }, async ({ open }) => {
    const database = await open()
    const harness = await createEngineHarness(database, await engineOn(database))
    const { needs } = await recallNeeds(database.db)
    await holds({ ...harness, needs })
  })
type Place = Awaited<ReturnType<typeof createEngineHarness>> &
  Pick<Awaited<ReturnType<typeof recallNeeds>>, 'needs'>

onRealEngine('as of a day, what was not valid then takes nobody’s place', async (place) => {
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
  const told = async (asOf: string, engine: SearchEngine) => {
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
    expect(await told('2024-01-01T00:00:00.000Z', each)).toEqual(then)
    const during = await told('2020-06-01T00:00:00.000Z', each)
    expect(during.map((id) => id.slice(0, 4))).toEqual(Array(5).fill('over'))
  }
})

onRealEngine('what was drawn together before takes nobody’s place', async (place) => {
  const { insert, embed, needs, open } = place
  for (let number = 0; number < 70; number++) {
    await insert(`made-${number}`, `kestrel nest ${number}`, { sourceType: 'aggregate-recall' })
    await embed(`made-${number}`, 'tiny', [[1, 0]])
  }
  await insert('garden', 'somewhere in this garden there is also a kestrel')
  await insert('orchard', 'in the orchard nothing of the kind was seen')
  for (const id of ['garden', 'orchard']) await embed(id, 'tiny', [[0.6, 0.8]])
  const asked = { ...needs, engine: await open() }
  const vector = Float32Array.of(0.6, 0.8)
  const embeddings = {
    embedQuery: async () => undefined,
    vectorOf: async () => vector,
    activeIdentity: () => 'tiny',
  }
  const evidence = async (more: object) =>
    (await recall(asked, ada, ask('kestrel nest', { limit: 5, ...more }))).results.map(
      ({ id }) => id,
    )

  expect(await evidence({ aggregate: true })).toEqual(['garden'])
  expect(await evidence({})).toHaveLength(5)
  const { rows } = await findSimilar({ ...asked, embeddings }, ada, {
    id: 'garden',
    limit: 2,
    type: undefined,
  })
  expect(rows.map(({ memory }) => memory.id)).toEqual(['orchard'])
})

async function engineOn(database: Database): Promise<() => SearchEngine> {
  const folder = await temporaryFolder()
  const of = { host: realHost, readModel: () => model }
  return () => {
    const { db, file } = database
    const engine =
      file === undefined
        ? createPostgresEngine({
            ...of,
            db,
            onWarning: () => undefined,
            feeds: serverFeeds,
          })
        : createEmbeddedEngine({
            ...of,
            log: createLog('silent'),
            ...fileFeeds,
            file,
            snapshotFile: join(folder, 'search', 'memories.snap'),
          })
    onTestFinished(() => engine.close())
    return engine
  }
}

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
