import { expect, test } from 'vitest'
import { type Embedder, EmbeddingFailure } from './embedder.ts'
import { embedEach } from './write-vectors.ts'

type Fails = (texts: readonly string[]) => 'text' | 'provider' | undefined

const poisoned: Fails = (texts) =>
  texts.some((text) => text.startsWith('poison')) ? 'text' : undefined
const brokenOn: Fails = (texts) => poisoned(texts) && 'provider'

const cases: readonly [string, Fails, readonly string[], readonly string[]][] = [
  ['one call if every text is accepted', poisoned, ['a', 'b'], ['a b']],
  ['no probe if another text is accepted', poisoned, ['a', 'poison'], ['a poison', 'a', 'poison']],
  [
    'one probe for all rejected texts',
    poisoned,
    ['poison 1', 'poison 2', 'a'],
    ['poison 1 poison 2 a', 'poison 1', 'probe', 'poison 2', 'a'],
  ],
  ['a probe for a single text', poisoned, ['poison'], ['poison', 'probe']],
  [
    'a probe after each provider failure',
    brokenOn,
    ['a', 'poison'],
    ['a poison', 'probe', 'a', 'poison', 'probe'],
  ],
]

test.each(cases)('embedEach makes %s', async (_name, fails, texts, calls) => {
  const { embedder, requests } = play(fails)

  const outcomes = await embedEach(embedder, { texts: texts.map(toText) })

  expect(requests).toEqual(calls)
  expect(outcomes.map(({ text, rejection }) => [text.content, rejection])).toEqual(
    texts.map((text) => [text, text.startsWith('poison') ? 'no' : undefined]),
  )
})

test.each(['text', 'provider'] as const)(
  'rejects no text if the probe fails too (%s)',
  async (kind) => {
    const { embedder, requests } = play(() => kind)

    await expect(embedEach(embedder, { texts: ['a', 'b', 'c'].map(toText) })).rejects.toThrow('no')

    expect(requests.at(-1)).toBe('probe')
    expect(requests.length).toBeLessThanOrEqual(3)
  },
)

function toText(content: string) {
  return { id: content, agentId: 'ada', content, contentHash: content }
}

function play(fails: Fails) {
  const requests: string[] = []
  const embedder: Embedder = {
    provider: 'fake',
    model: 'm',
    baseUrl: null,
    concurrency: 1,
    batchSize: 8,
    identity: () => Promise.reject(new Error('Not used in this test.')),
    embed: async ({ texts }) => {
      requests.push(texts.join(' '))
      const kind = fails(texts)
      if (kind) throw new EmbeddingFailure(kind, 'no')
      return texts.map(() => ({ whole: Float32Array.of(1), passages: [] }))
    },
    close: async () => undefined,
  }
  return { embedder, requests }
}
