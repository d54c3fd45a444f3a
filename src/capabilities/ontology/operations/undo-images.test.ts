import { expect } from 'vitest'
import { dumpAll, onEachEngine, ontologyKit } from '../ontology.fixture.ts'
import { tables } from '../store/rows.ts'

const slot = { entity: 'Atlas', aspect: 'tools', claim_key: 'editor' }
const dump = (db: Parameters<typeof tables>[0]) =>
  tables(db).selectFrom('ontologyChanges').selectAll().orderBy('position').execute()

onEachEngine('images hold former values, and a digest of the row after the change', async (db) => {
  const { apply } = ontologyKit(db)
  await apply([['add_claim_value', { ...slot, value: 'a quiet editor' }]])
  const inserted = await dump(db)
  expect(inserted.map(({ tableName }) => tableName)).toContain('entityAttributes')
  for (const { before, after } of inserted) {
    expect(before).toBeNull()
    expect(after).toMatch(/^[\w-]{22}$/)
  }

  const { items } = await apply([['set_claim_value', { ...slot, value: 'another' }]])
  const images = (await dump(db)).filter(({ proposalId }) => proposalId === items[0]?.proposalId)
  const former = images.flatMap(({ before }) => (before === null ? [] : [JSON.parse(before)]))
  expect(former).toEqual([{ status: 'active', supersededBy: null }])
})

onEachEngine('an operation with the whole rows of an earlier version is undone', async (db) => {
  const { apply, undo } = ontologyKit(db)
  const before = await dumpAll(db)
  const { batchId, items } = await apply([['create_entity', { name: 'Atlas' }]])
  for (const { table, rowId, after } of items[0]?.changes ?? [])
    await tables(db)
      .updateTable('ontologyChanges')
      .set({ after: JSON.stringify(after) })
      .where('tableName', '=', table)
      .where('rowId', '=', rowId)
      .execute()

  await undo({ batchId: String(batchId) })

  expect(await dumpAll(db)).toEqual(before)
})
