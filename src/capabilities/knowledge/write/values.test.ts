import { expect } from 'vitest'
import {
  dumpGraph,
  knowledgeKit,
  memorySource,
  onEachEngine,
  putClaim,
} from '../knowledge.fixture.ts'
import type { Source } from './graph-write.ts'

const early = '2025-01-01T00:00:00.000Z'
const late = '2026-01-01T00:00:00.000Z'

onEachEngine('values are added next to each other, and an equal one gains evidence', async (db) => {
  const { run, write } = knowledgeKit(db)
  const add = (value: string, source: Source) =>
    run((operation, write) => putClaim(operation, write, { entity: 'Atlas', value }), {
      sources: [source],
    })

  const { result: vim } = await add('Vim', memorySource('m1', { sourceTime: early, project: 'p' }))
  expect(vim).toMatchObject({
    deduped: false,
    claim: { version: 1, groupKey: 'general', claimKey: 'editor', assertedAt: early },
  })
  const { result: emacs } = await add('Emacs', memorySource('m2'))
  expect(emacs.others.map(({ content }) => content)).toEqual(['Vim'])
  const { result: again } = await add('vim.', memorySource('m3', { visibility: 'private' }))
  expect(again).toMatchObject({
    deduped: true,
    claim: { id: vim.claim.id, content: 'Vim', assertedAt: late, visibility: 'private' },
  })

  expect(await write.listSlot(db, 'ada', vim.claim)).toMatchObject(
    [
      { content: 'Emacs', status: 'active', memoryId: emacs.claim.id },
      { content: 'Vim', status: 'active', memoryId: vim.claim.id },
    ].toSorted((a, b) => (a.memoryId > b.memoryId ? -1 : 1)),
  )
  const { memories } = await dumpGraph(db)
  expect(memories.map((row) => JSON.parse(row))).toMatchObject([
    { id: vim.claim.id, content: 'Atlas, editor: Vim', visibility: 'private', project: null },
    { id: emacs.claim.id, content: 'Atlas, editor: Emacs', visibility: 'global', project: null },
  ])
})

onEachEngine('a set value replaces the others and continues their chain', async (db) => {
  const { run } = knowledgeKit(db)
  const put = (value: string, mode: 'add' | 'set') =>
    run((operation, write) => putClaim(operation, write, { entity: 'Atlas', value, mode }))

  const { result: one } = await put('vim', 'add')
  const { result: two } = await put('emacs', 'add')
  const { result: three } = await put('nano', 'set')
  expect(three).toMatchObject({
    current: true,
    claim: { version: 2, status: 'active' },
  })
  expect(three.superseded.map(({ id }) => id).toSorted()).toEqual([one.claim.id, two.claim.id])
  const { result: four } = await put('ed', 'set')
  expect(four.claim).toMatchObject({
    version: 3,
    versionRootId: three.claim.versionRootId,
    previousAttributeId: three.claim.id,
  })
  expect((await put('ED', 'set')).result).toMatchObject({ deduped: true, superseded: [] })

  const { memories } = await dumpGraph(db)
  const current = memories.map((row) => JSON.parse(row)).filter((row) => row.supersededBy === null)
  expect(current).toMatchObject([{ id: four.claim.id, content: 'Atlas, editor: ed' }])
})

onEachEngine('late evidence of an automated writer becomes history', async (db) => {
  const { run, write } = knowledgeKit(db)
  const set = (value: string, sourceTime: string, allowsLate: boolean) =>
    run(
      (operation, write) =>
        putClaim(operation, write, { entity: 'Atlas', value, mode: 'set', allowsLate }),
      { sources: [memorySource(`m ${value}`, { sourceTime })] },
    )

  const { result: current } = await set('vim', late, true)
  const { result: old } = await set('nano', early, true)
  expect(old).toMatchObject({
    current: false,
    superseded: [],
    claim: { status: 'superseded', supersededBy: current.claim.id },
  })
  expect((await dumpGraph(db)).memories).toHaveLength(1)
  expect((await set('ed', early, false)).result).toMatchObject({ current: true })
  const statuses = (await write.listSlot(db, 'ada', old.claim)).map(
    ({ content, status }) => `${content} ${status}`,
  )
  expect(statuses).toEqual(['ed active', 'nano superseded', 'vim superseded'])
})

onEachEngine(
  'constraints and pinned claims are replaced and archived with force only',
  async (db) => {
    const { run } = knowledgeKit(db)
    const put = (input: object) =>
      run((operation, write) =>
        putClaim(operation, write, { entity: 'Atlas', value: 'vim', mode: 'set', ...input }),
      )
    const { result: constraint } = await put({ kind: 'constraint' })

    const refused = { code: 'claim_protected', details: { ids: [constraint.claim.id] } }
    await expect(put({ value: 'nano' })).rejects.toMatchObject(refused)
    const archive = (force: boolean) =>
      run((operation, write) =>
        write.archiveAspect(operation, constraint.aspect, { reason: null, force }),
      )
    await expect(archive(false)).rejects.toMatchObject(refused)
    const { result: nano } = await put({ value: 'nano', force: true })
    await run((operation, write) => write.pinClaim(operation, nano.claim, true))
    await expect(put({ value: 'ed' })).rejects.toMatchObject({ code: 'claim_protected' })
    const { result: ids } = await archive(true)
    expect(ids.toSorted()).toEqual([constraint.claim.id, nano.claim.id].toSorted())
    expect((await dumpGraph(db)).memories).toEqual([])
  },
)

onEachEngine('a value is superseded without a replacement, archived and restored', async (db) => {
  const { run, write } = knowledgeKit(db)
  const put = (value: string) =>
    run((operation, write) => putClaim(operation, write, { entity: 'Atlas', value, mode: 'set' }))
  const { result: vim } = await put('vim')
  const { result: nano } = await put('nano')
  const count = async () =>
    (await dumpGraph(db)).memories.filter((row) => row.includes('"supersededBy":null')).length

  await run((operation, write) =>
    write.supersedeValues(operation, [nano.claim], { by: null, force: false }),
  )
  expect(await count()).toBe(0)
  const restored = await run(async (operation, write) => {
    const claim = await write.findClaim(operation.db, 'ada', vim.claim.id)
    return claim && write.restoreValue(operation, claim, { force: false })
  })
  expect(restored.result).toMatchObject({ claim: { status: 'active', supersededBy: null } })
  expect(await count()).toBe(1)
  await run(async (operation, write) => {
    const claim = await write.findClaim(operation.db, 'ada', nano.claim.id)
    return claim && write.restoreValue(operation, claim, { force: false })
  })
  expect(await write.findClaim(db, 'ada', vim.claim.id)).toMatchObject({
    status: 'superseded',
    supersededBy: nano.claim.id,
  })
  expect(await write.findClaim(db, 'bob', vim.claim.id)).toBeUndefined()
})

onEachEngine('a subject has 50 citations, and the oldest of an equal source goes', async (db) => {
  const { run } = knowledgeKit(db)
  const add = (sources: Source[]) =>
    run((operation, write) => putClaim(operation, write, { entity: 'Atlas', value: 'vim' }), {
      sources,
    })
  const source = (id: string, quote: string) => memorySource(id, { quote })
  const { result } = await add([source('m0', 'first')])
  await add(Array.from({ length: 49 }, (_, at) => source(`m${at + 1}`, 'x')))

  await expect(add([source('other', 'y')])).rejects.toMatchObject({ code: 'too_many' })
  await add([source('m0', 'second')])
  const citations = (await dumpGraph(db)) as unknown as Record<string, string[]>
  const ofClaim = citations['knowledgeCitations']?.filter((row) => row.includes(result.claim.id))
  expect(ofClaim).toHaveLength(50)
  expect(ofClaim?.some((row) => row.includes('"first"'))).toBe(false)
})
