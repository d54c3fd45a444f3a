import { expect } from 'vitest'
import { steeredHost } from '../../kernel/testing/steered-host.ts'
import { begin, countRows, onEachEngine, readTold, served, start } from './embeddings.fixture.ts'
import { numbersOf, type Reply } from './providers/provider-server.fixture.ts'

const wider = 'small/4/served/plain'
const wide: Reply = ({ body }) => ({
  body: { embeddings: (body['input'] as string[]).map((text) => [...numbersOf(text), 1]) },
})
const narrow: Reply = ({ body }) => ({
  body: { embeddings: (body['input'] as string[]).map(numbersOf) },
})
const silent: Reply = () => ({ status: 500, body: {} })
const other = 'the model answered 4 numbers, not 3'

onEachEngine('a server that has another model now is asked which, and it is built', async (db) => {
  let reply = narrow
  const { needs, memories, written, config } = await begin(db, (one) => reply(one))
  written.config = config
  const embeddings = await start(needs)
  await embeddings.catchUp()
  expect(embeddings.activeIdentity()).toBe(served)

  reply = wide
  for (const name of ['four', 'five', 'six']) memories.put(name, `the ${name} harbour`)
  await expect(embeddings.catchUp()).rejects.toThrow(other)
  expect([await countRows(db, served), await countRows(db, wider)]).toEqual([3, 0])
  await embeddings.catchUp()

  expect(embeddings.activeIdentity()).toBe(wider)
  expect(await countRows(db, wider)).toBe(6)
  expect(await embeddings.vectorOf('one')).toHaveLength(4)
})

onEachEngine('one wrong answer among right ones builds nothing', async (db) => {
  const { needs, written, config } = await begin(db, (one) =>
    JSON.stringify(one.body['input']).includes('two') ? wide(one) : narrow(one),
  )
  written.config = config
  const embeddings = await start(needs)
  await embeddings.catchUp()
  await embeddings.catchUp()

  const tracker = { active: served, building: null, embedded: 2, refused: 1 }
  expect(await readTold(embeddings)).toMatchObject({ tracker })
})

onEachEngine('dimensions that are configured stay as they are', async (db) => {
  const { needs, written, config } = await begin(db, wide)
  written.config = { ...config, dimensions: 3 }
  const embeddings = await start(needs)

  for (let time = 0; time < 3; time += 1) await expect(embeddings.catchUp()).rejects.toThrow(other)
  expect(embeddings.activeIdentity()).toBe(served)
})

onEachEngine('nothing is kept for a model by who has another now', async (db) => {
  const host = steeredHost()
  let reply = narrow
  const { needs, memories, written, config } = await begin(db, (one) => reply(one))
  written.config = config
  const embeddings = await start({ ...needs, host })
  await embeddings.catchUp()

  reply = wide
  expect(await readTold(embeddings)).toMatchObject({ available: false, error: other })
  host.advance(30_000)
  expect(await readTold(embeddings)).toMatchObject({ available: true, dimensions: 4 })
  expect(await embeddings.embed(memories.put('four', 'the fourth harbour'))).toBe(false)
  expect(await embeddings.embedQuery('harbour')).toBeUndefined()

  await embeddings.catchUp()
  expect([embeddings.activeIdentity(), await countRows(db, wider)]).toEqual([wider, 4])
})

onEachEngine('who was silent at the start and has another model now is asked, too', async (db) => {
  const host = steeredHost()
  let reply = narrow
  const { needs, memories, written, config } = await begin(db, (one) => reply(one))
  written.config = config
  const before = await start({ ...needs, host })
  await before.catchUp()
  await before.stop()

  reply = silent
  memories.put('four', 'the fourth harbour')
  const embeddings = await start({ ...needs, host })
  await expect(embeddings.catchUp()).rejects.toThrow('500')
  reply = wide
  await expect(embeddings.catchUp()).rejects.toThrow(other)
  await embeddings.catchUp()

  expect([embeddings.activeIdentity(), await countRows(db, wider)]).toEqual([wider, 4])
})
