import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import {
  begin,
  bundled,
  onEachEngine,
  readStatusReply,
  served,
  start,
  well,
} from './embeddings.fixture.ts'
import type { EmbeddingsCapability } from './index.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import type { Reply } from './providers/provider-server.fixture.ts'

const fail: Reply = () => ({ status: 400, body: {} })

onEachEngine('the catch-up waits for a provider without identity', async (db) => {
  const host = manualClockHost()
  let reply = fail
  const { needs, written, config } = await begin(db, (one) => reply(one))
  const embeddings = await start({ ...needs, host })
  await embeddings.catchUp()
  written.config = config

  await expect(embeddings.catchUp()).rejects.toThrow('the provider returned 400')
  const tracker = { active: bundled, building: null, total: 3, embedded: 3 }
  const error = expect.stringMatching(/the provider returned 400$/)
  const waiting = { ...tracker, state: 'waiting', error }
  expect(await readStatusReply(embeddings)).toMatchObject({ tracker: waiting })
  expect(await backfill(embeddings)).toMatchObject({ tracker: { ...tracker, state: 'running' } })
  await embeddings.settled()
  expect(await readStatusReply(embeddings)).toMatchObject({ tracker: waiting })

  reply = well
  host.advance(30_000)
  await embeddings.catchUp()
  expect(await readStatusReply(embeddings)).toMatchObject({
    tracker: { active: served, state: 'idle' },
  })
})

onEachEngine('a backfill request during a run starts a run after it', async (db) => {
  const host = manualClockHost()
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  let refused = 'two'
  const { needs, memories, written, config } = await begin(db, (one) =>
    JSON.stringify(one.body['input']).includes(refused) ? { status: 400, body: {} } : well(one),
  )
  const outbound: EmbeddingsNeeds['outbound'] = {
    fetch: async (url, request) => {
      if (String(request?.body).includes('late')) {
        reached.resolve()
        await held.promise
      }
      return await needs.outbound.fetch(url, request)
    },
  }
  written.config = config
  const embeddings = await start({ ...needs, host, outbound })
  await embeddings.catchUp()
  memories.put('late', 'too late')
  refused = 'nothing'

  const running = embeddings.catchUp()
  await reached.promise
  expect(await backfill(embeddings)).toMatchObject({ tracker: { state: 'running' } })
  expect(await embeddings.vectorOf('two')).toBeUndefined()
  held.resolve()
  await running
  await embeddings.settled()

  expect(await embeddings.vectorOf('two')).toBeDefined()
})

onEachEngine('a backfill request closes the circuit breaker', async (db) => {
  let reply = fail
  const { needs, written, config } = await begin(db, (one) => reply(one))
  written.config = { ...config, dimensions: 3 }
  const embeddings = await start({ ...needs, host: manualClockHost() })
  for (let time = 0; time < 5; time += 1)
    await expect(embeddings.catchUp()).rejects.toThrow('the provider returned 400')
  reply = well
  await expect(embeddings.catchUp()).rejects.toThrow('circuit breaker open')

  await backfill(embeddings)
  await embeddings.settled()

  expect(await readStatusReply(embeddings)).toMatchObject({
    tracker: { state: 'idle', embedded: 3 },
  })
})

async function backfill({ routes }: EmbeddingsCapability): Promise<unknown> {
  const route = routes.find(({ name }) => name === 'embeddings.backfill')
  return await route?.handle({ caller: callerFor('ada') } as never)
}
