import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { dreamingKit, onEachEngine } from './dreaming.fixture.ts'
import { undoPass } from './undo-pass.ts'

onEachEngine('a possessive without values is merged into its name, once', async (db) => {
  const { remember, dream, apply, knowledge, needs } = dreamingKit(db)
  const listNames = async () =>
    (await knowledge.ledger.listNames(db, 'ada', 10)).map(({ name }) => name).toSorted()
  await remember('Maud Reyes lives in Lisbon.')
  await apply([['create_entity', { name: "Maud Reyes's", entity_type: 'person' }]])
  await dream()
  // The second pass finds the duplicate, the third one merges it.
  await dream()
  expect(await listNames()).toEqual(['Maud Reyes', "Maud Reyes's"])
  const { pass, operations } = await dream()
  expect(operations).toMatchObject([
    { operation: 'merge_entities', state: 'applied', rule: 'hygiene.possessive' },
  ])
  expect(await listNames()).toEqual(['Maud Reyes'])

  const undoing = { passId: pass.id, partial: false, dryRun: false }
  await undoPass(needs, callerFor('ada'), undoing)
  expect(await listNames()).toEqual(['Maud Reyes', "Maud Reyes's"])
  await dream()
  expect(await listNames()).toEqual(['Maud Reyes', "Maud Reyes's"])
})

onEachEngine('a first name that fits one full name is proposed to a person, once', async (db) => {
  const { remember, dream, apply } = dreamingKit(db)
  await remember('Maud Reyes lives in Lisbon.')
  await apply([['create_entity', { name: 'Maud', entity_type: 'person' }]])
  await apply([['create_entity', { name: 'Ines', entity_type: 'person' }]])
  await dream()
  const { operations } = await dream()
  expect(operations).toMatchObject([
    {
      operation: 'merge_entities',
      rule: 'hygiene.first_name',
      subject: 'Maud',
      state: 'proposed',
      proposalId: expect.any(String),
    },
  ])
  expect((await dream()).operations).toEqual([])
})
