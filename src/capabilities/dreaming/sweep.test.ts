import { expect } from 'vitest'
import { dreamingKit, onEachEngine } from './dreaming.fixture.ts'
import { listFacts, saveFacts } from './store/ledger.ts'
import { listOperations } from './store/operations.ts'
import { findPass } from './store/passes.ts'
import { sweep } from './sweep.ts'

const dayMs = 86_400_000

onEachEngine('old operations lose their words, and old passes are deleted', async (db) => {
  const { remember, dream, host, needs } = dreamingKit(db)
  await remember('Maud Reyes lives in Lisbon.')
  const { pass } = await dream()
  await sweep(needs)
  expect(await listOperations(db, pass.id)).toMatchObject([{ subject: 'Maud Reyes' }])
  host.advance(31 * dayMs)
  await sweep(needs)
  const [operation] = await listOperations(db, pass.id)
  expect(operation).toMatchObject({ state: 'applied', payload: {}, evidence: [], subject: '' })
  host.advance(60 * dayMs)
  await sweep(needs)
  expect(await listOperations(db, pass.id)).toEqual([])
  expect(await findPass(db, 'ada', pass.id)).toMatchObject({ appliedCount: 1 })
  host.advance(310 * dayMs)
  await sweep(needs)
  expect(await findPass(db, 'ada', pass.id)).toBeUndefined()
})

onEachEngine('a statement has at most fifty sources, the newest', async (db) => {
  const { remember, dream, needs } = dreamingKit(db)
  await remember('Maud Reyes lives in Lisbon.')
  await dream()
  const [fact] = await listFacts(db, 'ada', ['maud reyes'])
  if (!fact) throw new Error('The pass has saved no fact.')
  const facts = Array.from({ length: 51 }, (_, at) => ({
    fact: { ...fact, sourceId: `older-${at}`, assertedAt: new Date(at * 1_000).toISOString() },
    attributeId: null,
    passId: 'p',
  }))
  await saveFacts(db, 'ada', facts)
  await sweep(needs)
  const left = await listFacts(db, 'ada', ['maud reyes'])
  expect(left).toHaveLength(50)
  expect(left.map(({ sourceId }) => sourceId)).toContain(fact.sourceId)
  expect(left[0]?.assertedAt).toBe('1970-01-01T00:00:02.000Z')
})
