import { expect } from 'vitest'
import { createEvidenceDependant, eraseOperations } from './forgetting.ts'
import { onEachEngine, ontologyKit } from './ontology.fixture.ts'
import { findProposal } from './store/proposals.ts'

const slot = { entity: 'Atlas', aspect: 'tools', claim_key: 'editor' }

onEachEngine('an operation is hidden, shown and purged with its evidence', async (db) => {
  const { apply, remember, undo, host } = ontologyKit(db)
  const [one, two] = [await remember('Atlas uses vim.'), await remember('Atlas likes vim.')]
  const add = async (value: string, ids: readonly string[]) => {
    const evidence = ids.map((memory_id) => ({ memory_id, quote: 'Atlas' }))
    const { items } = await apply([['add_claim_value', { ...slot, value }, { evidence }]])
    return String(items[0]?.proposalId)
  }
  const [single, both] = [await add('vim', [one]), await add('nano', [one, two])]
  const dependant = createEvidenceDependant({ host })
  const change = { agentId: 'ada', kind: 'memory', ids: [one] } as const
  const find = (id: string) => findProposal(db, 'ada', id)

  await dependant.forgotten(db, change)
  expect(await find(single)).toBeUndefined()
  expect(await find(both)).toBeDefined()
  await expect(undo({ proposalId: single })).rejects.toMatchObject({ code: 'not_found' })
  await dependant.recovered(db, change)
  expect(await find(single)).toBeDefined()

  await dependant.forgotten(db, change)
  await dependant.purged(db, change)
  await dependant.recovered(db, change)
  expect(await find(single)).toBeUndefined()
  expect((await find(both))?.evidence).toEqual([{ memory_id: two, quote: 'Atlas' }])
})

onEachEngine('operations on purged rows are deleted with their images', async (db) => {
  const { apply } = ontologyKit(db)
  const { items } = await apply([['add_claim_value', { ...slot, value: 'vim' }]])
  const [item] = items
  await eraseOperations(db, { agentId: 'ada', ids: [String(item?.result?.['attributeId'])] })

  expect(await findProposal(db, 'ada', String(item?.proposalId))).toBeUndefined()
  const all = db.withTables<{ ontologyChanges: { rowId: string } }>()
  expect(await all.selectFrom('ontologyChanges').selectAll().execute()).toEqual([])
})
