import { expect } from 'vitest'
import { connect, embeddingsNeeds, onEachEngine } from './embeddings.fixture.ts'

const bundled = 'static-en-256/256/int8/plain'

onEachEngine('a saved memory has a vector immediately', async (db) => {
  const { needs, emitted, memories } = embeddingsNeeds(db)
  const embeddings = connect(needs)
  await embeddings.start()
  const kitten = memories.put('one', 'Maria adopted a grey kitten in June.')

  expect(await embeddings.embed(kitten)).toBe(true)

  expect(embeddings.activeIdentity()).toBe(bundled)
  expect(emitted).toEqual([['embeddings.promoted', { identity: bundled }]])
  const requests = await embeddings.embedQuery('Which pet does Maria have?')
  const stored = await embeddings.vectorOf('one')
  expect(requests?.identity).toBe(bundled)
  expect(cosine(requests?.vector, stored)).toBeCloseTo(0.546, 3)
})

onEachEngine('a memory without a vector is saved', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  const embeddings = connect(needs)
  await embeddings.start()

  expect(await embeddings.embed(memories.put('one', '\u200b'))).toBe(false)
  expect(await embeddings.vectorOf('one')).toBeUndefined()
  expect(await embeddings.embedQuery(' ')).toBeUndefined()
})

onEachEngine('a long text also has a vector for each passage', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  const embeddings = connect(needs)
  await embeddings.start()

  await embeddings.embed(memories.put('one', 'the harbour at night '.repeat(100)))

  const passages = await db
    .withTables<{ memoryVectors: { passage: number } }>()
    .selectFrom('memoryVectors')
    .select('passage')
    .orderBy('passage')
    .execute()
  expect(passages.map(({ passage }) => passage)).toEqual([0, 1, 2, 3, 4])
})

onEachEngine('a changed text gets another vector', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  const embeddings = connect(needs)
  await embeddings.start()
  await embeddings.embed(memories.put('one', 'a grey kitten'))
  const before = await embeddings.vectorOf('one')
  const changed = memories.put('one', 'a linker error')

  expect(await embeddings.isEmbedded(changed)).toBe(false)
  expect(await embeddings.embed(changed)).toBe(true)

  expect(await embeddings.isEmbedded(changed)).toBe(true)
  expect(cosine(before, await embeddings.vectorOf('one'))).toBeLessThan(0.5)
})

onEachEngine('missing vectors are added in the background', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  for (const id of ['one', 'two', 'three']) memories.put(id, `the ${id} harbour`)
  memories.put('four', 'forgotten', { live: false })
  const embeddings = connect(needs)
  await embeddings.start()

  await embeddings.catchUp()
  memories.put('two', 'another port')
  await embeddings.catchUp()

  for (const id of ['one', 'two', 'three']) expect(await embeddings.vectorOf(id)).toBeDefined()
  expect(await embeddings.vectorOf('four')).toBeUndefined()
  expect(
    cosine(await embeddings.vectorOf('two'), (await embeddings.embedQuery('another port'))?.vector),
  ).toBeCloseTo(1)
})

onEachEngine('a purge of memories or of an agent deletes all vectors', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  const embeddings = connect(needs)
  await embeddings.start()
  for (const id of ['one', 'two']) await embeddings.embed(memories.put(id, `the ${id} harbour`))
  await embeddings.embed(memories.put('three', 'of bob', { agentId: 'bob' }))

  await embeddings.deleteVectors(db, ['one'])
  await embeddings.agentRemoval.purge(db, 'bob')

  expect(await embeddings.vectorOf('one')).toBeUndefined()
  expect(await embeddings.vectorOf('two')).toBeDefined()
  expect(await embeddings.vectorOf('three')).toBeUndefined()
})

function cosine(
  one: Float32Array | undefined,
  other: Float32Array | undefined,
): number | undefined {
  return one?.reduce((sum, value, at) => sum + value * (other?.[at] ?? Number.NaN), 0)
}
