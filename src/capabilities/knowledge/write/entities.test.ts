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

const listNames = async (db: Db) => {
  const rows = await tables(db).selectFrom('entityNames').select(['phrase', 'kind']).execute()
  return rows.map(({ phrase, kind }) => `${kind} ${phrase}`).toSorted()
}

onEachEngine('an entity is created once, by any form of its name or by its alias', async (db) => {
  const { run } = knowledgeKit(db)
  const upsert = (name: string, agentId = 'ada') =>
    run((operation, write) => write.upsertEntity(operation, { name, entityType: 'Project' }), {
      agentId,
    })

  const { result, write } = await upsert('Project  Atlas')
  expect(result).toMatchObject({
    created: true,
    row: { name: 'Project Atlas', canonicalName: 'project atlas', entityType: 'project' },
  })
  expect(write.changes.map(({ table }) => table)).toEqual(['entities', 'knowledgeCitations'])
  expect(write.changes[0]).toMatchObject({ before: null, after: { name: 'Project Atlas' } })
  expect((await upsert('ＰＲＯＪＥＣＴ atlas')).result).toMatchObject({ created: false })

  await run((operation, write) =>
    write.addAlias(operation, result.row, { alias: 'The Mountain', confidence: 1, source: 's' }),
  )
  expect((await upsert('the mountain')).result.row.id).toBe(result.row.id)
  expect((await upsert('Project Atlas', 'bob')).result.created).toBe(true)
  expect(await listNames(db)).toEqual([
    'alias the mountain',
    'name project atlas',
    'name project atlas',
  ])
})

onEachEngine('a stated type replaces the unknown one, and no other', async (db) => {
  const { run } = knowledgeKit(db)
  const typeAfter = async (entityType?: string) => {
    const input = { name: 'Maud Jensen', entityType }
    const { result } = await run((operation, write) => write.upsertEntity(operation, input))
    return result.row.entityType
  }

  expect(await typeAfter()).toBe('unknown')
  expect(await typeAfter('person')).toBe('person')
  expect(await typeAfter('project')).toBe('person')
  expect(await typeAfter('unknown')).toBe('person')
})

onEachEngine('a name that can be no entity, and an unknown type, are refused', async (db) => {
  const { run } = knowledgeKit(db)
  const upsert = (name: string, entityType?: string) =>
    run((operation, write) => write.upsertEntity(operation, { name, entityType }))

  await expect(upsert('because')).rejects.toThrow(
    'Entity name rejected: generic_or_scaffolding_name',
  )
  await expect(upsert('abc')).rejects.toThrow('too_short. Use at least four letters')
  await expect(upsert('Atlas', 'source_chunk')).rejects.toThrow('entity_type is invalid')
  await expect(upsert(' ')).rejects.toThrow('name is required')
  expect(await tables(db).selectFrom('entities').selectAll().execute()).toEqual([])
})

onEachEngine('a rename changes names and derived memories, and refuses taken names', async (db) => {
  const { run } = knowledgeKit(db)
  const rename = (id: string, newName: string, force = false) =>
    run(async (operation, write) => {
      const entity = await write.selectEntity(operation.db, 'ada', { id })
      return write.renameEntity(operation, entity, { newName, force })
    })
  const { result } = await run((operation, write) =>
    putClaim(operation, write, { entity: 'Atlas', value: 'vim' }),
  )
  const { id } = result.entity
  await run((operation, write) => write.upsertEntity(operation, { name: 'Orion' }))
  await run((operation, write) =>
    write.addAlias(operation, result.entity, { alias: 'Titan', confidence: 1, source: 's' }),
  )

  await expect(rename(id, 'ORION')).rejects.toMatchObject({ code: 'entity_exists' })
  await rename(id, 'Titan')
  expect(await listNames(db)).toEqual(['name orion', 'name titan'])
  expect((await dumpGraph(db)).memories).toEqual([expect.stringContaining('Titan, editor: vim')])

  await run((operation, write) => write.pinEntity(operation, result.entity, true))
  await expect(rename(id, 'Atlas')).rejects.toMatchObject({ code: 'entity_protected' })
  await rename(id, 'Atlas', true)
  expect(await listNames(db)).toEqual(['name atlas', 'name orion'])
})

onEachEngine(
  'an archived entity goes with its rows, and returns without its claims',
  async (db) => {
    const { run } = knowledgeKit(db)
    const { result } = await run(async (operation, write) => {
      const written = await putClaim(operation, write, { entity: 'Atlas', value: 'vim' })
      const { row: target } = await write.upsertEntity(operation, { name: 'Orion' })
      await write.createLink(operation, { source: written.entity, target, type: 'uses' })
      return written
    })

    await run((operation, write) =>
      write.archiveEntity(operation, result.entity, { reason: 'old', force: false }),
    )
    expect(await listNames(db)).toEqual(['name orion'])
    expect((await dumpGraph(db)).memories).toEqual([])
    expect(await tables(db).selectFrom('entityDependencies').select('status').execute()).toEqual([
      { status: 'archived' },
    ])

    const again = await run((operation, write) => write.upsertEntity(operation, { name: 'ATLAS' }))
    expect(again.result).toMatchObject({
      created: true,
      row: { id: result.entity.id, name: 'ATLAS', status: 'active', archiveReason: null },
    })
    expect(await listNames(db)).toEqual(['name atlas', 'name orion'])
    expect((await dumpGraph(db)).memories).toEqual([])
  },
)

onEachEngine('aliases are unique, are no names, and return from the archive', async (db) => {
  const { run } = knowledgeKit(db)
  const { result: atlas } = await run((operation, write) =>
    write.upsertEntity(operation, { name: 'Atlas' }),
  )
  const { result: orion } = await run((operation, write) =>
    write.upsertEntity(operation, { name: 'Orion' }),
  )
  const add = (alias: string, entity = atlas.row) =>
    run((operation, write) =>
      write.addAlias(operation, entity, { alias, confidence: 0.5, source: 'operator' }),
    )

  const { result: alias } = await add('Titan')
  for (const taken of ['titan', 'ATLAS', 'orion'])
    await expect(add(taken)).rejects.toMatchObject({ code: 'alias_exists' })
  await expect(add('Titan', orion.row)).rejects.toMatchObject({ code: 'alias_exists' })

  await run((operation, write) => write.archiveAlias(operation, alias))
  expect(await listNames(db)).toEqual(['name atlas', 'name orion'])
  expect((await add('TITAN')).result).toMatchObject({ id: alias.id, alias: 'TITAN' })
})

onEachEngine(
  'links are one for each triple, and have a reason where they say little',
  async (db) => {
    const { run } = knowledgeKit(db)
    const { result: ends } = await run(async (operation, write) => ({
      source: (await write.upsertEntity(operation, { name: 'Atlas' })).row,
      target: (await write.upsertEntity(operation, { name: 'Orion' })).row,
    }))
    const link = (input: object, sources = [memorySource('m1')]) =>
      run((operation, write) => write.createLink(operation, { ...ends, type: 'uses', ...input }), {
        sources,
      })

    const { result } = await link({ strength: 0.9 })
    expect(result).toMatchObject({ created: true, row: { strength: 0.9, visibility: 'global' } })
    const again = await link({ reason: 'seen' }, [memorySource('m2', { visibility: 'private' })])
    expect(again.result).toMatchObject({
      created: false,
      row: { id: result.row.id, strength: 0.9, reason: 'seen', visibility: 'private' },
    })
    await expect(link({ type: 'likes' })).rejects.toThrow('link_type is invalid. Use one of: uses,')
    await expect(link({ type: 'related_to' })).rejects.toThrow('reason is required for related_to')
    await expect(link({ target: ends.source })).rejects.toThrow('source and target must differ')

    const { result: other } = await link({ type: 'owns' })
    const update = run((operation, write) =>
      write.updateLink(operation, other.row, { type: 'uses' }),
    )
    await expect(update).rejects.toMatchObject({ code: 'link_exists' })
    await run((operation, write) => write.archiveLink(operation, result.row, { reason: 'gone' }))
    expect((await link({})).result).toMatchObject({ created: true, row: { id: result.row.id } })
    const mentions = await tables(db).selectFrom('entities').select(['name', 'mentions']).execute()
    expect(mentions.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'Atlas', mentions: 2 },
      { name: 'Orion', mentions: 2 },
    ])
  },
)

onEachEngine('entities of source indexing are changed by nothing else', async (db) => {
  const { run } = knowledgeKit(db)
  const { result } = await run((operation, write) =>
    write.upsertEntity(operation, { name: 'Handbook', entityType: 'document' }),
  )
  const { id } = result.row
  const sourceRoot = 'vault'
  await tables(db).updateTable('entities').set({ sourceRoot }).where('id', '=', id).execute()
  const { result: own } = await run((operation, write) =>
    write.upsertEntity(operation, { name: 'Handbook', entityType: 'document' }),
  )
  expect(own).toMatchObject({ created: true, row: { sourceRoot: null } })
  const before = await dumpGraph(db)

  const attempt = (change: (...by: Parameters<Parameters<typeof run>[0]>) => Promise<unknown>) =>
    expect(run(change)).rejects.toMatchObject({ code: 'source_owned' })
  const entity = { ...result.row, sourceRoot }
  const force = true
  await attempt((operation, write) =>
    write.renameEntity(operation, entity, { newName: 'Guide', force }),
  )
  await attempt((operation, write) =>
    write.archiveEntity(operation, entity, { reason: 'old', force }),
  )
  for (const [target, source] of [
    [entity, own.row],
    [own.row, entity],
  ] as const)
    await attempt((operation, write) =>
      write.mergeEntities(operation, { target, sources: [source], force }),
    )
  await attempt((operation, write) =>
    write.addAlias(operation, entity, { alias: 'Guide', confidence: 1, source: 's' }),
  )
  const none = { aspectIds: [], attributeIds: [], linkIds: [], aliasIds: [] }
  await attempt((operation, write) =>
    write.splitEntity(operation, entity, { name: 'Guide', entityType: undefined, ...none }),
  )
  expect(await dumpGraph(db)).toEqual(before)
})
