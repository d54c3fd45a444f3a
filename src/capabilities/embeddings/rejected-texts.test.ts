import { expect } from 'vitest'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import {
  begin,
  bundled,
  countRows,
  onEachEngine,
  readStatusReply,
  served,
  start,
  well,
} from './embeddings.fixture.ts'
import { numbersOf, type Reply } from './providers/provider-server.fixture.ts'

const refuse: Reply = () => ({ status: 400, body: {} })
/** No direction for the texts that match. */
const without =
  (words: RegExp): Reply =>
  ({ body }) => ({
    body: {
      embeddings: (body['input'] as string[]).map((text) =>
        words.test(text) ? [0, 0, 0] : numbersOf(text),
      ),
    },
  })

onEachEngine(
  'a provider that rejects everything is not promoted and opens the breaker',
  async (db) => {
    const { needs, requests, written, config } = await begin(db, refuse)
    const embeddings = await start(needs)
    await embeddings.catchUp()

    written.config = { ...config, dimensions: 3 }
    for (let time = 0; time < 5; time += 1)
      await expect(embeddings.catchUp()).rejects.toThrow('the provider returned 400')

    expect(embeddings.activeIdentity()).toBe(bundled)
    const { length } = requests
    await expect(embeddings.catchUp()).rejects.toThrow(
      'circuit breaker open: the provider returned 400',
    )
    expect(requests).toHaveLength(length)
    expect([await countRows(db, bundled), await countRows(db, served)]).toEqual([3, 0])
  },
)

onEachEngine(
  'a model with too few vectors is not promoted, and the reason is reported',
  async (db) => {
    let refused = /harbour/
    const { needs, memories, written, config } = await begin(db, (one) =>
      refused.test(JSON.stringify(one.body['input'])) ? refuse(one) : well(one),
    )
    const embeddings = await start(needs)
    await embeddings.catchUp()
    written.config = config
    const expected = { state: 'waiting', active: bundled, building: served, total: 3 }
    const why = `${served} has a vector for 0 memories, ${bundled} for 3: it is not promoted`

    for (let time = 0; time < 2; time += 1) await expect(embeddings.catchUp()).rejects.toThrow(why)
    const tracker = { ...expected, embedded: 0, refused: 3, error: why }
    expect(await readStatusReply(embeddings)).toMatchObject({ available: true, tracker })
    expect(await countRows(db, bundled)).toBe(3)

    refused = /never/
    memories.put('one', 'one port')
    await expect(embeddings.catchUp()).rejects.toThrow('for 1 memories')
    memories.put('two', 'two ports')
    await embeddings.catchUp()
    expect(embeddings.activeIdentity()).toBe(served)
  },
)

onEachEngine('memories saved during an outage are embedded later', async (db) => {
  const host = manualClockHost()
  let reply = well
  const { needs, memories, written, config } = await begin(db, (one) => reply(one))
  written.config = config
  const embeddings = await start({ ...needs, host })
  await embeddings.catchUp()

  reply = refuse
  memories.put('four', 'the fourth harbour')
  for (let hour = 0; hour < 5; hour += 1) {
    await expect(embeddings.catchUp()).rejects.toThrow('the provider returned 400')
    host.advance(3_600_000)
  }
  reply = well
  await embeddings.catchUp()

  expect(await embeddings.vectorOf('four')).toBeDefined()
})

onEachEngine(
  'a provider that returns only zero vectors rejects no text, and is retried',
  async (db) => {
    const host = manualClockHost()
    let reply = without(/./)
    const { needs, requests, written, config } = await begin(db, (one) => reply(one))
    written.config = config
    const embeddings = await start({ ...needs, host })
    const why = 'the provider returned a zero vector'

    for (let time = 0; time < 5; time += 1) await expect(embeddings.catchUp()).rejects.toThrow(why)
    const expected = { available: false, error: expect.stringContaining(why) }
    const waiting = { state: 'waiting', embedded: 0, refused: 0 }
    expect(await readStatusReply(embeddings)).toMatchObject({ ...expected, tracker: waiting })
    const { length } = requests
    await expect(embeddings.catchUp()).rejects.toThrow(`circuit breaker open: ${why}`)
    expect(requests).toHaveLength(length)

    reply = well
    host.advance(60_000)
    await embeddings.catchUp()
    expect(await countRows(db, served)).toBe(3)
  },
)

onEachEngine('a text with a zero vector is rejected if other texts have vectors', async (db) => {
  const { needs, memories, requests, written, config } = await begin(db, without(/harbour/))
  written.config = config
  const embeddings = await start(needs)
  await embeddings.catchUp()
  expect(await readStatusReply(embeddings)).toMatchObject({
    available: true,
    tracker: { refused: 3 },
  })

  memories.put('four', 'four ports')
  memories.put('five', 'a fifth harbour')
  const before = requests.length
  await embeddings.catchUp()
  expect(await readStatusReply(embeddings)).toMatchObject({ tracker: { embedded: 1, refused: 4 } })
  expect(requests.slice(before).map(({ body }) => body['input'])).toEqual([
    ['four ports', 'a fifth harbour'],
  ])
})

onEachEngine('a forgotten memory is not sent again and does not count as rejected', async (db) => {
  const host = manualClockHost()
  const { needs, memories, requests, written, config } = await begin(db, (one) =>
    JSON.stringify(one.body['input']).includes('two') ? refuse(one) : well(one),
  )
  written.config = config
  const embeddings = await start({ ...needs, host })
  await embeddings.catchUp()
  expect(await readStatusReply(embeddings)).toMatchObject({ tracker: { refused: 1, total: 3 } })

  memories.put('two', 'the two harbour', { live: false })
  const before = requests.length
  for (let hour = 0; hour < 2; hour += 1) {
    host.advance(3_600_000)
    await embeddings.catchUp()
  }

  expect(requests.length).toBe(before)
  expect(await readStatusReply(embeddings)).toMatchObject({ tracker: { refused: 0, total: 2 } })
  memories.put('two', 'the two harbour')
  await embeddings.catchUp()
  expect(JSON.stringify(requests.slice(before))).toContain('the two harbour')
})

onEachEngine('a changed text is tried three times, too', async (db) => {
  const host = manualClockHost()
  const { needs, memories, requests, written, config } = await begin(db, (one) =>
    JSON.stringify(one.body['input']).includes('two') ? refuse(one) : well(one),
  )
  written.config = config
  const embeddings = await start({ ...needs, host })
  const countAttempts = async (words: string) => {
    for (let hour = 0; hour < 5; hour += 1) {
      await embeddings.catchUp()
      host.advance(3_600_000)
    }
    return requests.filter(({ body }) => String(body['input']) === words).length
  }

  expect(await countAttempts('the two harbour')).toBe(3)
  memories.put('two', 'two ports')
  expect(await countAttempts('two ports')).toBe(3)
})
