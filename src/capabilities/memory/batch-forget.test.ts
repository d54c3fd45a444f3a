import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { batchForget } from './batch-forget.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { readMemory } from './read.ts'
import { remember } from './remember.ts'

const ada = callerFor('ada')
const none = { query: undefined, filter: {}, limit: 200 }
const execution = {
  mode: 'execute',
  reason: 'a test',
  force: false,
  confirmToken: undefined,
} as const

onEachEngine('a preview writes nothing and lists the candidates of an execution', async (db) => {
  const { needs } = memoryNeeds(db)
  const { memory } = await remember(needs, ada, plain('rust is fast'))
  await remember(needs, ada, plain('tea is hot'))

  const preview = await batchForget(needs, ada, {
    mode: 'preview',
    selection: { ...none, query: 'rust' },
  })

  expect(preview).toMatchObject({ mode: 'preview', count: 1, requiresConfirm: false })
  expect(preview).toMatchObject({ candidates: [{ id: memory.id, pinned: false, version: 1 }] })
  expect(await readMemory(needs, ada, memory)).toEqual(memory)
})

onEachEngine('finds long texts and tags verbatim', async (db) => {
  const { needs } = memoryNeeds(db)
  const long = `%${'"_ '.repeat(20_000)}${'end '.repeat(65)}.`
  const { memory } = await remember(needs, ada, { ...plain(`so: ${long}`), tags: ['50%', long] })
  await remember(needs, ada, { ...plain('another'), tags: ['500'] })
  const preview = (selection: object) =>
    batchForget(needs, ada, { mode: 'preview', selection: { ...none, ...selection } })

  const byTag = await preview({ filter: { tags: ['50%', long] } })
  const byText = await preview({ query: long })

  expect(byTag).toMatchObject({ candidates: [{ id: memory.id }] })
  expect(byText).toMatchObject({ candidates: [{ id: memory.id }] })
})

onEachEngine('accepts the maximum number of ids and tags', async (db) => {
  const { needs } = memoryNeeds(db)
  const listed = Array.from({ length: 500 }, (_, index) => `one-${index}`)
  const filter = { ids: listed, tags: listed }

  const preview = await batchForget(needs, ada, { mode: 'preview', selection: { ...none, filter } })

  expect(preview).toMatchObject({ count: 0 })
})

onEachEngine('skips pinned memories and deletes the rest', async (db) => {
  const { needs } = memoryNeeds(db)
  const pinned = await remember(needs, ada, plain('critical: keep me'))
  const gone = await remember(needs, ada, plain('drop me'))

  const done = await batchForget(needs, ada, {
    ...execution,
    selection: { ...none, filter: { type: 'fact' } },
  })

  expect(done).toMatchObject({ requested: 2, deleted: 1 })
  expect(done).toMatchObject({
    results: [
      { id: pinned.memory.id, status: 'pinned_requires_force', currentVersion: 1 },
      { id: gone.memory.id, status: 'deleted', currentVersion: 1, newVersion: 2 },
    ],
  })
})

onEachEngine('more than 25 go only with the token of a preview', async (db) => {
  const { needs } = memoryNeeds(db)
  for (let count = 0; count < 26; count++) await remember(needs, ada, plain(`note ${count}`))
  const selection = { ...none, filter: { type: 'fact' } }

  const refused = batchForget(needs, ada, { ...execution, selection, confirmToken: 'wrong' })

  await expect(refused).rejects.toMatchObject({
    kind: 'invalid',
    code: 'confirmation_required',
    details: { requiresConfirm: true, count: 26 },
  })
  const preview = await batchForget(needs, ada, { mode: 'preview', selection })
  const confirmToken = preview.mode === 'preview' ? preview.confirmToken : undefined
  expect(await batchForget(needs, ada, { ...execution, selection, confirmToken })).toMatchObject({
    requested: 26,
    deleted: 26,
  })
})

onEachEngine('what is no search expression is looked for as it stands', async (db) => {
  const { needs } = memoryNeeds(db)
  const { memory } = await remember(needs, ada, plain('costs 100% AND (more'))

  const preview = await batchForget(needs, ada, {
    mode: 'preview',
    selection: { ...none, query: '100% AND (' },
  })

  expect(preview).toMatchObject({ candidates: [{ id: memory.id }] })
  const cut = { ...none, query: 'costs\0nothing' }
  expect(await batchForget(needs, ada, { mode: 'preview', selection: cut })).toMatchObject({
    candidates: [],
  })
})

onEachEngine('another agent’s memories are no candidates', async (db) => {
  const { needs } = memoryNeeds(db)
  const { memory } = await remember(needs, callerFor('bob'), plain('mine alone'))

  const preview = await batchForget(needs, ada, {
    mode: 'preview',
    selection: { ...none, filter: { ids: [memory.id] } },
  })

  expect(preview).toMatchObject({ count: 0, candidates: [] })
})

onEachEngine('a tag counts as a whole, its wildcards as letters', async (db) => {
  const { needs } = memoryNeeds(db)
  const { memory } = await remember(needs, ada, { ...plain('one'), tags: ['a_b', 'c'] })
  await remember(needs, ada, { ...plain('two'), tags: ['axb', 'a_bc'] })

  const preview = await batchForget(needs, ada, {
    mode: 'preview',
    selection: { ...none, filter: { tags: ['a_b'] } },
  })

  expect(preview).toMatchObject({ candidates: [{ id: memory.id }] })
})
