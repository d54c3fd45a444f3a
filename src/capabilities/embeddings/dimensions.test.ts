import { expect } from 'vitest'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import {
  begin,
  countRows,
  onEachEngine,
  readStatusReply,
  served,
  start,
} from './embeddings.fixture.ts'
import { numbersOf, type Reply } from './providers/provider-server.fixture.ts'

const wider = 'small/4/served/plain'
const wide: Reply = ({ body }) => ({
  body: { embeddings: (body['input'] as string[]).map((text) => [...numbersOf(text), 1]) },
})
const narrow: Reply = ({ body }) => ({
  body: { embeddings: (body['input'] as string[]).map(numbersOf) },
})
const silent: Reply = () => ({ status: 500, body: {} })
const other = 'the model returned 4 dimensions, not 3'

onEachEngine('a changed server model is queried again and built', async (db) => {
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

onEachEngine('a single wrong reply builds nothing', async (db) => {
  const { needs, written, config } = await begin(db, (one) =>
    JSON.stringify(one.body['input']).includes('two') ? wide(one) : narrow(one),
  )
  written.config = config
  const embeddings = await start(needs)
  await embeddings.catchUp()
  await embeddings.catchUp()

  const tracker = { active: served, building: null, embedded: 2, refused: 1 }
  expect(await readStatusReply(embeddings)).toMatchObject({ tracker })
})

onEachEngine('configured dimensions do not change', async (db) => {
  const { needs, written, config } = await begin(db, wide)
  written.config = { ...config, dimensions: 3 }
  const embeddings = await start(needs)

  for (let time = 0; time < 3; time += 1) await expect(embeddings.catchUp()).rejects.toThrow(other)
  expect(embeddings.activeIdentity()).toBe(served)
})

onEachEngine('vectors of a changed model are not saved for the old one', async (db) => {
  const host = manualClockHost()
  let reply = narrow
  const { needs, memories, written, config } = await begin(db, (one) => reply(one))
  written.config = config
  const embeddings = await start({ ...needs, host })
  await embeddings.catchUp()

  reply = wide
  expect(await readStatusReply(embeddings)).toMatchObject({ available: false, error: other })
  host.advance(30_000)
  expect(await readStatusReply(embeddings)).toMatchObject({ available: true, dimensions: 4 })
  expect(await embeddings.embed(memories.put('four', 'the fourth harbour'))).toBe(false)
  expect(await embeddings.embedQuery('harbour')).toBeUndefined()

  await embeddings.catchUp()
  expect([embeddings.activeIdentity(), await countRows(db, wider)]).toEqual([wider, 4])
})

onEachEngine('a changed model is detected after an unavailable start, too', async (db) => {
  const host = manualClockHost()
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
