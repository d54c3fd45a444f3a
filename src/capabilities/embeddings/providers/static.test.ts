import { expect, onTestFinished, test } from 'vitest'
import { type Host, realHost } from '../../../kernel/host/host.ts'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { manualClockHost } from '../../../kernel/testing/manual-clock-host.ts'
import { createStaticModel, readStaticModel } from '../../../static-model/index.ts'
import { embedderContract } from '../embedder.contract.ts'
import { EmbeddingFailure } from '../embedder.ts'
import { createStaticEmbedder } from './static.ts'

const parts = readStaticModel()
const create = (host: Host = fixedHost()) => {
  const embedder = createStaticEmbedder({ host, readModel: () => parts })
  onTestFinished(() => embedder.close())
  return embedder
}

embedderContract('the static model', async () => create())

test('the vector of a long text is the sum of its passages', async () => {
  const text = 'the lighthouse keeper is Maud and she likes the sea; '.repeat(60)
  const [made] = await create().embed({ texts: [text], kind: 'document' })
  const direct = createStaticModel(await parts).embed(text)

  expect(made?.passages.length).toBeGreaterThan(3)
  for (const [at, value] of (made?.whole ?? []).entries())
    expect(value).toBeCloseTo(direct?.[at] ?? Number.NaN, 5)
})

test('a text has the same vector inline, with pauses and in a thread', async () => {
  const embedder = create(realHost)
  const words = 'the lighthouse keeper is Maud and she likes the sea; '
  await embedder.identity()

  const [paused, long] = await embedder.embed({
    texts: [words.repeat(30), words.repeat(1200)],
    kind: 'document',
  })

  expect(embedder.embedInline?.(words.repeat(30))).toEqual({ embedding: paused })
  expect(embedder.embedInline?.(words.repeat(50))).toBeUndefined()
  expect(long?.passages).toHaveLength(64)
  for (const [at, value] of (long?.whole ?? []).entries())
    expect(value).toBeCloseTo(paused?.whole[at] ?? Number.NaN, 2)
})

test('missing model files are a provider failure', async () => {
  const gone = createStaticEmbedder({
    host: fixedHost(),
    readModel: () => readStaticModel(new URL('file:///nowhere/')),
  })

  await expect(gone.identity()).rejects.toThrow(EmbeddingFailure)
})

test('a timed-out thread is not started again, and shorter texts still work', async () => {
  const host = manualClockHost()
  const embedder = create(host)
  await embedder.identity()
  const texts = ['the sea '.repeat(5000)]
  const kind = 'document'

  const late = embedder.embed({ texts, kind })
  while (!host.sleeps().includes(60_000)) await Promise.resolve()
  host.advance(60_000)

  const failure = { name: 'EmbeddingFailure', kind: 'provider' }
  await expect(late).rejects.toMatchObject(failure)
  const again = embedder.embed({ texts, kind })
  await expect(again).rejects.toMatchObject({
    ...failure,
    message: expect.stringContaining('disabled until restart'),
  })
  expect(host.sleeps()).toEqual([])
  expect(embedder.limitation?.()).toContain('more than 32000 characters: no answer within 60000 ms')
  expect(await embedder.embed({ texts: ['the sea'], kind })).toHaveLength(1)
})
