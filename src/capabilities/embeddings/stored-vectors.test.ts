import { expect, onTestFinished } from 'vitest'
import { connect, embeddingsNeeds, onEachEngine } from './embeddings.fixture.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import { createStoredVectors } from './stored-vectors.ts'

const config = { provider: 'openai', base_url: 'https://models.example/v1', model: 'm' }
const identity = { model: 'm', dims: 2, quantisation: 'served', promptFormat: 'plain' }

/** A server far away and one of this machine, which both make vectors by the same model. */
function serve() {
  const down = new Set<string>()
  const requests: unknown[] = []
  const state = { numbers: (text: string) => [text.length, 1] }
  const fetch = async (url: string, { body = '' }: { readonly body?: unknown } = {}) => {
    const { host } = new URL(url)
    const { input } = JSON.parse(String(body))
    requests.push([host, ...input])
    const embeddings = input.map(state.numbers)
    const data = embeddings.map((embedding: unknown, index: number) => ({ index, embedding }))
    const status = down.has(host) ? 500 : 200
    return { status, body: Buffer.from(JSON.stringify({ data, embeddings })) } as never
  }
  return { down, requests, state, outbound: { fetch } as EmbeddingsNeeds['outbound'] }
}

async function start(needs: EmbeddingsNeeds) {
  const embeddings = connect(needs)
  onTestFinished(() => embeddings.stop())
  await embeddings.start()
  await embeddings.catchUp().catch(() => undefined)
  return embeddings
}

onEachEngine('after a restart an unavailable provider uses its stored identity', async (db) => {
  const { down, requests, state, outbound } = serve()
  const { needs, memories } = embeddingsNeeds(db, { config, outbound })
  memories.put('one', 'the sea '.repeat(500))
  memories.put('two', 'the harbour')
  await (await start(needs)).stop()
  memories.put('three', 'forgotten', { live: false })
  down.add('models.example')
  requests.length = 0

  const embeddings = await start(needs)
  const three = memories.put('four', 'the quay')
  await embeddings.embed(three)
  await embeddings.settled()

  expect(await embeddings.vectorOf('four')).toBeDefined()
  expect(await embeddings.embedQuery('where?')).toMatchObject({ identity: 'm/2/served/plain' })
  const local = '127.0.0.1:11434'
  const toLocal = requests.filter((call) => String(call).startsWith(local))
  expect(toLocal).toEqual([
    [local, 'probe'],
    [local, 'the harbour'],
    [local, 'the quay'],
    [local, 'where?'],
  ])

  // It answers again, and by another model of this name.
  state.numbers = (text) => [text.length, 1, 1]
  down.delete('models.example')
  expect(await embeddings.embed(memories.put('five', 'the pier'))).toBe(false)
})

onEachEngine('a sample is a short, unchanged text and is cached', async (db) => {
  const { outbound } = serve()
  const { needs, memories } = embeddingsNeeds(db, { config, outbound })
  const stored = createStoredVectors(needs)
  expect(await stored.findSample(identity)).toBeUndefined()
  memories.put('long', 'the sea '.repeat(500))
  const changed = memories.put('changed', 'the harbour')
  memories.put('forgotten', 'the pier')
  await (await start(needs)).stop()
  memories.put(changed.id, 'another harbour')
  memories.put('forgotten', 'the pier', { live: false })

  expect(await stored.findSample(identity)).toBeUndefined()
  memories.put('forgotten', 'the pier')
  const sample = await stored.findSample(identity)
  expect(sample).toMatchObject({ text: 'the pier', kind: 'document' })
  expect(sample?.whole[0]).toBeCloseTo(8 / Math.hypot(8, 1), 5)
})

onEachEngine('the stored identity applies only to the same model and format', async (db) => {
  const { outbound } = serve()
  const { needs } = embeddingsNeeds(db, { config, outbound })
  await start(needs)
  const { findIdentity } = createStoredVectors(needs)
  const { dims: _, ...known } = identity

  expect(await findIdentity(known)).toEqual(identity)
  for (const other of [{ model: 'n' }, { quantisation: 'onnx' }, { promptFormat: 'e5' }])
    expect(await findIdentity({ ...known, ...other })).toBeUndefined()
})
