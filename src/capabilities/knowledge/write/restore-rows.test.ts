import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { engines } from '../../../kernel/testing/engines.ts'
import {
  dumpGraph,
  knowledgeKit,
  knowledgeTables,
  memorySource,
  onEachEngine,
  putClaim,
} from '../knowledge.fixture.ts'
import type { GraphWrite } from './graph-write.ts'
import { toUndoImage } from './undo-image.ts'

type Kit = ReturnType<typeof knowledgeKit>
type Operation = (operation: GraphWrite, kit: Kit) => Promise<unknown>

const names = ['Atlas', 'Orion', 'Gemini', 'Titan']
const name = fc.constantFrom(...names)
const aspect = fc.constantFrom('tools', 'people')
const value = fc.constantFrom('vim', 'nano', 'Atlas itself')
const mode = fc.constantFrom('add' as const, 'set' as const)
const claimInput = fc.record({ entity: name, aspect, value, mode, force: fc.boolean() })
const select = (operation: GraphWrite, kit: Kit, name: string) =>
  kit.write.selectEntity(operation.db, 'ada', { name })

const operations: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: claimInput.map(
      (input): Operation =>
        (operation, { write }) =>
          putClaim(operation, write, input),
    ),
  },
  fc.tuple(name, name).map(
    ([from, newName]): Operation =>
      async (operation, kit) =>
        kit.write.renameEntity(operation, await select(operation, kit, from), {
          newName,
          force: true,
        }),
  ),
  name.map(
    (name): Operation =>
      async (operation, kit) =>
        kit.write.archiveEntity(operation, await select(operation, kit, name), {
          reason: null,
          force: true,
        }),
  ),
  fc.tuple(name, name).map(
    ([source, target]): Operation =>
      async (operation, kit) =>
        kit.write.createLink(operation, {
          source: await select(operation, kit, source),
          target: await select(operation, kit, target),
          type: 'uses',
        }),
  ),
  fc.tuple(name, fc.constantFrom('One', 'Two', ...names)).map(
    ([name, alias]): Operation =>
      async (operation, kit) =>
        kit.write.addAlias(operation, await select(operation, kit, name), {
          alias,
          confidence: 1,
          source: 'operator',
        }),
  ),
  fc.tuple(name, name).map(
    ([target, source]): Operation =>
      async (operation, kit) =>
        kit.write.mergeEntities(operation, {
          target: await select(operation, kit, target),
          sources: [await select(operation, kit, source)].filter(
            ({ canonicalName }) => canonicalName !== target.toLowerCase(),
          ),
          force: true,
        }),
  ),
  fc.tuple(name, aspect).map(
    ([name, aspectName]): Operation =>
      async (operation, kit) => {
        const from = await select(operation, kit, name)
        const aspect = await kit.write.selectAspect(operation.db, from, { name: aspectName })
        const ids = { attributeIds: [], linkIds: [], aliasIds: [] }
        return kit.write.splitEntity(operation, from, {
          name: 'Part',
          aspectIds: [aspect.id],
          ...ids,
        })
      },
  ),
  name.map(
    (name): Operation =>
      async (operation, kit) => {
        const from = await select(operation, kit, name)
        const aspect = await kit.write.selectAspect(operation.db, from, { name: 'tools' })
        return kit.write.archiveAspect(operation, aspect, { reason: null, force: true })
      },
  ),
)
const sources = fc.subarray(['m1', 'm2', 'm3'], { minLength: 1 })

test.each(engines)(
  'undone operations leave every row as it was ($engine)',
  async ({ open }) => {
    const database = await open()
    await createTables(database, knowledgeTables)
    const kit = knowledgeKit(database.db)
    let round = 0
    const steps = fc.array(fc.tuple(operations, sources), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        round += 1
        const applied: { before: unknown; changes: GraphWrite['changes'] }[] = []
        for (const [apply, ids] of steps) {
          const before = await dumpGraph(kit.needs.db)
          try {
            const { write } = await kit.run((operation) => apply(operation, kit), {
              sources: ids.map((id) => memorySource(id)),
              proposalId: `proposal-${round}`,
            })
            applied.push({ before, changes: write.changes })
          } catch (error) {
            expect(error).toMatchObject({ name: 'Refusal' })
            expect(await dumpGraph(kit.needs.db)).toEqual(before)
          }
        }
        for (const { before, changes } of applied.toReversed()) {
          await kit.run((operation, write) =>
            write.restoreRows(operation, changes.map(toUndoImage)),
          )
          expect(await dumpGraph(kit.needs.db)).toEqual(before)
        }
      }),
      { numRuns: 15 },
    )
  },
  60_000,
)

onEachEngine('an operation whose rows changed since is not undone', async (db) => {
  const { run } = knowledgeKit(db)
  const put = (value: string) =>
    run((operation, write) => putClaim(operation, write, { entity: 'Atlas', value, mode: 'set' }))
  const { write: first, result } = await put('vim')
  await put('nano')
  const before = await dumpGraph(db)

  const undo = run((operation, write) =>
    write.restoreRows(operation, first.changes.map(toUndoImage)),
  )
  const ids = expect.arrayContaining([result.claim.id])
  await expect(undo).rejects.toMatchObject({ code: 'changed_since', details: { ids } })
  expect(await dumpGraph(db)).toEqual(before)
})

onEachEngine('an entity that gained rows since is not undone', async (db) => {
  const { run } = knowledgeKit(db)
  const { write: first } = await run((operation, write) =>
    write.upsertEntity(operation, { name: 'Atlas' }),
  )
  const { result } = await run((operation, write) =>
    putClaim(operation, write, { entity: 'Atlas', value: 'vim' }),
  )

  const undo = run((operation, write) =>
    write.restoreRows(operation, first.changes.map(toUndoImage)),
  )
  const ids = expect.arrayContaining([result.aspect.id])
  await expect(undo).rejects.toMatchObject({ code: 'changed_since', details: { ids } })
})
