import { expect, vi } from 'vitest'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { begin, onEachEngine, start, well } from './embeddings.fixture.ts'

onEachEngine('a query waits for a provider at most for its deadline', async (db) => {
  const host = manualClockHost()
  const { needs, requests, config, written } = await begin(db, (one) =>
    String(one.body['input']).includes('slow') ? 'never' : well(one),
  )
  written.config = { ...config, query_timeout_ms: 300 }
  const embeddings = await start({ ...needs, host })
  await embeddings.catchUp()
  expect(await embeddings.embedQuery('quick')).toBeDefined()

  const answers: unknown[] = []
  const asking = embeddings.embedQuery('slow').then((answer) => answers.push(answer))
  await vi.waitFor(() => expect(requests.at(-1)?.body['input']).toEqual(['slow']))
  host.advance(299)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(answers).toEqual([])
  host.advance(1)

  await asking
  expect(answers).toEqual([{ isLate: true }])
})

onEachEngine('a repeated query needs no call of the provider', async (db) => {
  const host = manualClockHost()
  const { needs, requests, config, written } = await begin(db, well)
  written.config = { ...config, query_timeout_ms: 300 }
  const embeddings = await start({ ...needs, host })
  await embeddings.catchUp()
  const first = await embeddings.embedQuery('wo ist das Tor?')
  const count = requests.length

  expect(await embeddings.embedQuery('wo ist das Tor?')).toEqual(first)
  expect(requests).toHaveLength(count)
  expect(await embeddings.embedQuery('where is the gate?')).toBeDefined()
  expect(requests).toHaveLength(count + 1)
})
