import { expect } from 'vitest'
import { connect, embeddingsNeeds, onEachEngine } from './embeddings.fixture.ts'

const bundled = 'static-en-256/256/int8/plain'

onEachEngine('a memory is found by meaning as soon as it is kept', async (db) => {
  const { needs, announced, memories } = embeddingsNeeds(db)
  const embeddings = connect(needs)
  await embeddings.start()
  const kitten = memories.put('one', 'Maria adopted a grey kitten in June.')

  expect(await embeddings.embed(kitten)).toBe(true)

  expect(embeddings.activeIdentity()).toBe(bundled)
  expect(announced).toEqual([['embeddings.promoted', { identity: bundled }]])
  const asked = await embeddings.embedQuery('Which pet does Maria have?')
  const kept = await embeddings.vectorOf('one')
  expect(asked?.identity).toBe(bundled)
  expect(cosine(asked?.vector, kept)).toBeCloseTo(0.546, 3)
})

onEachEngine('words without a vector are kept without one', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  const embeddings = connect(needs)
  await embeddings.start()

  expect(await embeddings.embed(memories.put('one', '\u200b'))).toBe(false)
  expect(await embeddings.vectorOf('one')).toBeUndefined()
  expect(await embeddings.embedQuery(' ')).toBeUndefined()
})

onEachEngine('a long text has a vector for each passage besides', async (db) => {
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

onEachEngine('other words get another vector', async (db) => {
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

onEachEngine('what has no vector yet gets one behind the answers', async (db) => {
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

onEachEngine('nothing is left of what is purged, or of an agent that goes', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  const embeddings = connect(needs)
  await embeddings.start()
  for (const id of ['one', 'two']) await embeddings.embed(memories.put(id, `the ${id} harbour`))
  await embeddings.embed(memories.put('three', 'of bob', { agentId: 'bob' }))

  await embeddings.drop(db, ['one'])
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
