import fc from 'fast-check'
import { expect } from 'vitest'
import { isLong } from '../../../kernel/testing/plan-of.ts'
import { dumpAll, type Operation, onEachEngine, ontologyKit } from '../ontology.fixture.ts'

const numRuns = isLong ? 150 : 3

const name = fc.constantFrom('Atlas', 'Orion', 'Gemini', 'Lyra Two', 'Vega Tool')
const aspect = fc.constantFrom('tools', 'people')
const key = fc.constantFrom('editor', 'owner')
const value = fc.constantFrom('vim', 'nano', 'Maud', 'never vim', 'emacs')
const force = fc.boolean()
const slot = { entity: name, aspect, claim_key: key }

/** Any operation on a few names, so that many of them meet. */
const operations: readonly fc.Arbitrary<Operation>[] = [
  make('create_entity', { name }),
  make('create_entity', { name, description: value }),
  make('rename_entity', { entity: name, new_name: name, force }),
  make('archive_entity', { entity: name, reason: value, force }),
  make('merge_entities', { target: name, sources: fc.array(name, { maxLength: 2 }), force }),
  make('split_entity', { entity: name, name }),
  make('create_entity_alias', { entity: name, alias: fc.constantFrom('Big One', 'Orion') }),
  make('create_aspect', { entity: name, aspect, weight: fc.constant(0.4) }),
  make('rename_aspect', { entity: name, aspect, new_name: aspect }),
  make('archive_aspect', { entity: name, aspect, force }),
  make('add_claim_value', { ...slot, value }),
  make('set_claim_value', { ...slot, value, force }),
  make('supersede_claim_value', { ...slot, old_value: value, new_value: value }),
  make('import_claim_value', { ...slot, value, status: fc.constant('superseded') }),
  make('create_link', { source_entity: name, target_entity: name, link_type: fc.constant('uses') }),
  make('create_policy', { target_entity: name, kind: key, content: value }),
  make('attach_interface', { entity: name, interface: name }),
  make('pin_entity', { entity: name }),
]

function make(operation: string, payload: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record(payload).map((fields): Operation => [operation, fields])
}

const history = fc.array(fc.oneof(...operations), { minLength: 1, maxLength: 12 })

onEachEngine('random operations and their undo leave the tables as they were', async (db) => {
  const { apply, undo, host, remember } = ontologyKit(db)
  const memory_id = await remember('Atlas uses vim, and Maud owns it.')
  const property = fc.asyncProperty(
    history,
    history,
    fc.boolean(),
    async (first, then, asBatch) => {
      // What came before stays.
      await apply(first.map(cite), { mode: 'each' })
      const before = await dumpAll(db)
      host.advance(1000)
      const groups = asBatch ? [then] : then.map((operation) => [operation])
      const batchIds: string[] = []
      for (const group of groups) {
        const { batchId, items } = await apply(group.map(cite), { mode: 'each' })
        host.advance(1000)
        if (items.some(({ status }) => status !== 'failed')) batchIds.push(String(batchId))
      }
      for (const batchId of batchIds.toReversed()) await undo({ batchId })
      expect(await dumpAll(db)).toEqual(before)
    },
  )
  await fc.assert(property, { numRuns, endOnFailure: true })

  function cite([operation, payload]: Operation, index: number): Operation {
    return [operation, payload, index % 2 === 0 ? { evidence: [{ memory_id }] } : {}]
  }
})

onEachEngine('a merged entity that returns and leaves again is mentioned as before', async (db) => {
  const { apply, undo, remember } = ontologyKit(db)
  const more = { evidence: [{ memory_id: await remember('Atlas and Orion are one.') }] }
  await apply([
    ['create_entity', { name: 'Atlas' }, more],
    ['create_entity', { name: 'Orion' }, more],
    ['merge_entities', { target: 'Atlas', sources: ['Orion'] }],
  ])
  // An alias would answer in the place of the entity.
  await apply([['archive_entity', { entity: 'Atlas' }]])
  const before = await dumpAll(db)

  const { batchId } = await apply([['create_entity', { name: 'Orion' }, more]])
  expect(await dumpAll(db)).not.toEqual(before)
  await undo({ batchId: String(batchId) })

  expect(await dumpAll(db)).toEqual(before)
})
