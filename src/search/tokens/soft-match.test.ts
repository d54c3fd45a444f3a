import { expect, test } from 'vitest'
import { createStaticModel, readStaticModel } from '../../static-model/index.ts'
import { createTokenLists } from '../embedded/postings/token-lists.ts'
import { maxSimilarity } from './similarity-memory.ts'
import { createSoftMatch } from './soft-match.ts'
import { createTokenSimilarity, loadWordPieces } from './token-similarity.ts'

const pieces = await loadWordPieces()

test('token similarity is the squared cosine of the model', async () => {
  const model = createStaticModel(await readStaticModel())
  const textTokens = model.tokenise('cat car linker purple the 7 ##ing felines tabby')
  // Includes tokens at the end of the vocabulary.
  expect(Math.max(...textTokens)).toBeGreaterThan(2 ** 14)
  const queryTokens = model.tokenise('kitten linker')
  const { compare } = createTokenSimilarity(model)

  const similarities: number[][] = []
  compare(
    queryTokens,
    textTokens.map((token) => Uint32Array.of(token)),
    (_, likest) => similarities.push([...likest.subarray(0, queryTokens.length)]),
  )

  for (const [text, token] of textTokens.entries())
    for (const [at, other] of queryTokens.entries()) {
      const cosine = Math.max(0, model.similarity(other, token))
      expect(Math.abs((similarities[text]?.[at] ?? 0) - maxSimilarity * cosine ** 2)).toBeLessThan(
        1.5,
      )
    }
})

test('the most similar token of a text counts, independent of earlier queries', async () => {
  const model = createStaticModel(await readStaticModel())
  const texts = ['a cat and a car', 'purple', ''].map((text) =>
    Uint32Array.from(new Set(model.tokenise(text))),
  )
  const { compare } = createTokenSimilarity(model)
  const ask = (question: string) => {
    const queryTokens = model.tokenise(question)
    const similarities: number[][] = []
    compare(queryTokens, texts, (_, likest) =>
      similarities.push([...likest.subarray(0, queryTokens.length)]),
    )
    return similarities
  }

  ask('many other words that earlier queries add to the cache')

  const [several, one, none] = ask('cat purple')
  expect(several?.[0]).toBe(maxSimilarity)
  expect(one?.[1]).toBe(maxSimilarity)
  expect(one?.[0]).toBeLessThan(maxSimilarity)
  expect(none).toEqual([0, 0])
})

test('similar words score above others and below equal ones', () => {
  const texts = ['the kitten sleeps', 'a cat rests', 'the linker ran out of memory', '']
  const lists = createTokenLists()
  for (const [slot, text] of texts.entries()) lists.put(slot, pieces.tokenize(text))

  const { coverage } = createSoftMatch(lists, pieces.similarity, {
    queryTokens: pieces.tokenize('kitten'),
    slots: [0, 1, 2, 3],
  })

  const [same = 0, like = 0, other = 0, none = 0] = coverage
  expect(same).toBeCloseTo(1)
  expect(like).toBeGreaterThan(2 * other)
  expect(none).toBe(0)
})

test('a longer text with the same matches scores lower', () => {
  const lists = createTokenLists()
  lists.put(0, pieces.tokenize('a kitten'))
  lists.put(1, pieces.tokenize('a kitten and many other words that do not mean anything like it'))

  const { normalised } = createSoftMatch(lists, pieces.similarity, {
    queryTokens: pieces.tokenize('kitten'),
    slots: [0, 1],
  })

  expect(normalised[0]).toBeGreaterThan(normalised[1] ?? 1)
})

test('an unknown script has no tokens', () => {
  const lists = createTokenLists()
  lists.put(0, pieces.tokenize('แมว'))

  const { coverage } = createSoftMatch(lists, pieces.similarity, {
    queryTokens: pieces.tokenize('แมว'),
    slots: [0],
  })
  expect([...coverage]).toEqual([0])
})
