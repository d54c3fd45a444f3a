import { expect } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import {
  dumpGraph,
  knowledgeKit,
  memorySource,
  onEachEngine,
  putClaim,
} from '../knowledge.fixture.ts'
import { tables } from '../store/rows.ts'
import { toUndoImage } from './undo-image.ts'

async function createTwo(db: Db) {
  const kit = knowledgeKit(db)
  const { result: mine } = await kit.run(
    (operation, write) =>
      putClaim(operation, write, { entity: 'Atlas', value: 'vim', mode: 'set' }),
    { sources: [memorySource('m1')] },
  )
  const { result: theirs } = await kit.run(
    async (operation, write) => {
      const put = (input: object) =>
        putClaim(operation, write, { entity: 'Atlas Two', value: '', ...input })
      await put({ value: 'VIM', mode: 'set' })
      await put({ key: 'shell', value: 'fish' })
      return put({ aspect: 'people', key: 'owner', value: 'Maud' })
    },
    { sources: [memorySource('m2')] },
  )
  const { result: orion } = await kit.run(async (operation, write) => {
    const { row } = await write.upsertEntity(operation, { name: 'Orion' })
    const link = (source: typeof row, target: typeof row) =>
      write.createLink(operation, { source, target, type: 'uses' })
    await link(mine.entity, row)
    await link(theirs.entity, row)
    await link(theirs.entity, mine.entity)
    await write.addAlias(operation, theirs.entity, { alias: 'Two', confidence: 1, source: 's' })
    return row
  })
  return { ...kit, target: mine.entity, source: theirs.entity, mine, theirs, orion }
}

onEachEngine('a merge folds aspects, links, aliases and mentions into the target', async (db) => {
  const { run, write, target, source, mine } = await createTwo(db)
  const before = await dumpGraph(db)

  const { result, write: merge } = await run((operation, write) =>
    write.mergeEntities(operation, { target, sources: [source], force: false }),
  )

  expect(result).toEqual([
    { entityId: source.id, name: 'Atlas Two', movedAspects: 2, relationshipsChanged: 2 },
  ])
  for (const name of ['Two', 'Atlas Two', 'atlas'])
    expect((await write.selectEntity(db, 'ada', { name })).id).toBe(target.id)
  const slot = await write.listSlot(db, 'ada', mine.claim)
  expect(slot.map(({ content, status }) => `${content} ${status}`).toSorted()).toEqual([
    'VIM superseded',
    'vim active',
  ])
  const cited = await tables(db)
    .selectFrom('knowledgeCitations')
    .select('sourceId')
    .where('subjectId', '=', mine.claim.id)
    .execute()
  expect(cited.map(({ sourceId }) => sourceId).toSorted()).toEqual(['m1', 'm2'])
  const links = await tables(db)
    .selectFrom('entityDependencies')
    .selectAll()
    .where('status', '=', 'active')
    .execute()
  expect(links).toMatchObject([{ sourceEntityId: target.id }])
  const merged = await write.selectEntity(db, 'ada', { id: target.id })
  expect(merged.mentions).toBe(2)
  const contents = (await dumpGraph(db)).memories.map((row) => JSON.parse(row))
  expect(contents.map(({ content }) => content)).toEqual(
    expect.arrayContaining(['Atlas, owner: Maud', 'Atlas, shell: fish', 'Atlas, editor: vim']),
  )

  await run((operation, write) => write.restoreRows(operation, merge.changes.map(toUndoImage)))
  expect(await dumpGraph(db)).toEqual(before)
})

onEachEngine('a merge of pinned or differing entities needs force', async (db) => {
  const { run, target, source } = await createTwo(db)
  const merge = (force: boolean, sources = [source]) =>
    run((operation, write) => write.mergeEntities(operation, { target, sources, force }))

  const other = await run((operation, write) =>
    write.upsertEntity(operation, { name: 'Maud', entityType: 'person' }),
  )
  await expect(merge(true, [target])).rejects.toThrow('target and sources must differ')
  await expect(merge(false, [other.result.row])).rejects.toMatchObject({ code: 'type_mismatch' })
  const { result: pinned } = await run((operation, write) =>
    write.pinEntity(operation, source, true),
  )
  await expect(merge(false, [pinned])).rejects.toMatchObject({ code: 'entity_protected' })
  expect((await merge(true, [pinned])).result).toHaveLength(1)
})

onEachEngine('of two values that were set on both sides, the newer stays active', async (db) => {
  const { run, write } = knowledgeKit(db)
  const put = (entity: string, value: string, sourceTime: string) =>
    run((operation, write) => putClaim(operation, write, { entity, value, mode: 'set' }), {
      sources: [memorySource(`m ${value}`, { sourceTime })],
    })
  await put('Atlas', 'ed', '2025-01-01T00:00:00.000Z')
  const { result: mine } = await put('Atlas', 'vim', '2025-02-01T00:00:00.000Z')
  await put('Atlas Two', 'pico', '2025-03-01T00:00:00.000Z')
  const { result: theirs } = await put('Atlas Two', 'nano', '2025-04-01T00:00:00.000Z')

  await run((operation, write) =>
    write.mergeEntities(operation, { target: mine.entity, sources: [theirs.entity], force: false }),
  )

  const slot = await write.listSlot(db, 'ada', mine.claim)
  const active = slot.filter(({ status }) => status === 'active')
  expect(active).toMatchObject([{ content: 'nano' }])
  expect(slot.find(({ id }) => id === mine.claim.id)?.supersededBy).toBe(theirs.claim.id)
})

onEachEngine('a split moves aspects, claims, links and aliases to a new entity', async (db) => {
  const { run, write, source, theirs } = await createTwo(db)
  const before = await dumpGraph(db)
  const slot = await write.listSlot(db, 'ada', { ...theirs.claim })
  const [shell] = await tables(db)
    .selectFrom('entityAttributes')
    .selectAll()
    .where('claimKey', '=', 'shell')
    .execute()
  const [alias] = await write.listAliases(db, 'ada', source.id)
  expect(slot).toHaveLength(1)

  const { result, write: split } = await run((operation, write) =>
    write.splitEntity(operation, source, {
      name: 'Gemini',
      aspectIds: [theirs.aspect.id],
      attributeIds: [shell?.id ?? ''],
      linkIds: [],
      aliasIds: [alias?.id ?? ''],
    }),
  )

  expect(result).toMatchObject({
    entity: { name: 'Gemini' },
    moved: { aspects: 1, attributes: 2, links: 0, aliases: 1 },
  })
  expect((await write.selectEntity(db, 'ada', { name: 'Two' })).id).toBe(result.entity.id)
  expect(await write.findClaim(db, 'ada', shell?.id ?? '')).toMatchObject({
    entityId: result.entity.id,
  })
  expect((await dumpGraph(db)).memories.join()).toContain('Gemini, owner: Maud')

  const unknown = run((operation, write) =>
    write.splitEntity(operation, source, {
      name: 'Other',
      aspectIds: [theirs.aspect.id],
      attributeIds: [],
      linkIds: [],
      aliasIds: [],
    }),
  )
  await expect(unknown).rejects.toThrow('Aspect not found')
  await run((operation, write) => write.restoreRows(operation, split.changes.map(toUndoImage)))
  expect(await dumpGraph(db)).toEqual(before)
})
