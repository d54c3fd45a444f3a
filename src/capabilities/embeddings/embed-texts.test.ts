import { expect } from 'vitest'
import { connect, embeddingsNeeds, onEachEngine } from './embeddings.fixture.ts'

const { signal } = new AbortController()

onEachEngine('texts are embedded in order, and a text without words as zeros', async (db) => {
  const { needs } = embeddingsNeeds(db)
  const embeddings = connect(needs)
  await embeddings.start()
  const texts = ['a grey kitten', '\u200b', ...Array.from({ length: 100 }, (_, at) => `text ${at}`)]
  const { model, vectors = [] } = (await embeddings.embedTexts(texts, signal)) ?? {}
  const query = await embeddings.embedQuery('a grey kitten')

  expect(model).toBe('static-en-256')
  expect(vectors.map(({ length }) => length)).toEqual(texts.map(() => 256))
  expect(vectors[0]).toEqual(query?.vector)
  expect(vectors[1]?.every((value) => value === 0)).toBe(true)
})

onEachEngine('without a model there are no vectors', async (db) => {
  const { needs } = embeddingsNeeds(db, { config: { provider: 'none' } })
  const embeddings = connect(needs)
  await embeddings.start()

  expect(await embeddings.embedTexts(['a kitten'], signal)).toBeUndefined()
})
