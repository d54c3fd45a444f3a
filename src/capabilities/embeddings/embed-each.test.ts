import { expect, test } from 'vitest'
import { embedEach } from './embed-each.ts'
import { type Embedder, EmbeddingFailure } from './embedder.ts'

type Fails = (texts: readonly string[]) => 'text' | 'provider' | undefined

const poisoned: Fails = (texts) =>
  texts.some((text) => text.startsWith('poison')) ? 'text' : undefined
const brokenOn: Fails = (texts) => poisoned(texts) && 'provider'

const cases: readonly [string, Fails, readonly string[], readonly string[]][] = [
  ['one call where all is well', poisoned, ['a', 'b'], ['a b']],
  [
    'no probe where another text is answered',
    poisoned,
    ['a', 'poison'],
    ['a poison', 'a', 'poison'],
  ],
  [
    'one probe for all that are refused',
    poisoned,
    ['poison 1', 'poison 2', 'a'],
    ['poison 1 poison 2 a', 'poison 1', 'probe', 'poison 2', 'a'],
  ],
  ['a probe for a text that is alone', poisoned, ['poison'], ['poison', 'probe']],
  [
    'a probe each time the provider seems broken',
    brokenOn,
    ['a', 'poison'],
    ['a poison', 'probe', 'a', 'poison', 'probe'],
  ],
]

test.each(cases)('it takes %s', async (_name, fails, texts, calls) => {
  const { embedder, asked } = play(fails)

  const outcomes = await embedEach(embedder, { words: texts.map(toWords) })

  expect(asked).toEqual(calls)
  expect(outcomes.map(({ words, refused }) => [words.content, refused])).toEqual(
    texts.map((text) => [text, text.startsWith('poison') ? 'no' : undefined]),
  )
})

test.each(['text', 'provider'] as const)(
  'where a probe fails as well (%s) no text is at fault',
  async (kind) => {
    const { embedder, asked } = play(() => kind)

    await expect(embedEach(embedder, { words: ['a', 'b', 'c'].map(toWords) })).rejects.toThrow('no')

    expect(asked.at(-1)).toBe('probe')
    expect(asked.length).toBeLessThanOrEqual(3)
  },
)

function toWords(content: string) {
  return { id: content, agentId: 'ada', content, contentHash: content }
}

function play(fails: Fails) {
  const asked: string[] = []
  const embedder: Embedder = {
    ...{ provider: 'played', model: 'm', baseUrl: null, atOnce: 1, batchSize: 8 },
    identity: () => Promise.reject(new Error('Not asked for in this test.')),
    embed: async ({ texts }) => {
      asked.push(texts.join(' '))
      const kind = fails(texts)
      if (kind) throw new EmbeddingFailure(kind, 'no')
      return texts.map(() => ({ whole: Float32Array.of(1), passages: [] }))
    },
    close: async () => undefined,
  }
  return { embedder, asked }
}
