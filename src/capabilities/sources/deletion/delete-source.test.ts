import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { addSource, listSources, registerImport } from '../manage.ts'
import { createParts } from '../parts.ts'
import { ada, addVault, onEachEngine, sourcesKit } from '../sources.fixture.ts'

const files = (folder: string) => readFile(join(folder, 'sources.json'), 'utf8')

onEachEngine('a deletion leaves no row of the source and none of its words', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, { 'a.md': 'Umbrageous words.', 'b/c.md': 'More of them.' })

  expect(await kit.deletion.delete('ada', vault.id)).toEqual({
    source: expect.objectContaining({ id: vault.id }),
    purged: { artifacts: 2, chunks: 2, entities: 4, aspects: 0, attributes: 0, dependencies: 3 },
  })

  expect(await kit.listPaths(vault.id)).toEqual([])
  expect(await kit.listChunks(vault.id)).toEqual([])
  expect(JSON.parse(await files(kit.folder))).toEqual({ version: 1, sources: [] })
  const stones = await readFile(join(kit.folder, '.daemon/source-deletion-tombstones.json'), 'utf8')
  expect(JSON.parse(stones)).toEqual([])
  await expect(kit.deletion.delete('ada', vault.id)).rejects.toMatchObject({
    code: 'source_not_found',
  })
})

onEachEngine('the source of another agent is as missing', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, { 'a.md': 'Words.' })

  await expect(kit.deletion.delete('bob', vault.id)).rejects.toMatchObject({
    code: 'source_not_found',
  })
  expect(await kit.listPaths(vault.id)).toHaveLength(1)
})

onEachEngine(
  'a deletion that fails is pending, hidden, and ends with the next request',
  async (db) => {
    const kit = await sourcesKit(db)
    const vault = await addVault(kit, { 'a.md': 'Words.' })
    const good = await files(kit.folder)
    await writeFile(join(kit.folder, 'sources.json'), '{"version": 1, "sour')
    // The list is read from the file.
    await expect(kit.deletion.delete('ada', vault.id)).rejects.toMatchObject({
      code: 'source_not_found',
    })
    await writeFile(join(kit.folder, 'sources.json'), good)
    const broken = createParts({ ...kit, engine: { ...kit.engine, changed: throwFull } })

    expect(await broken.deletion.delete('ada', vault.id)).toMatchObject({ pending: true })
    expect((await listSources(broken, ada)).sources).toEqual([])
    await expect(addSource(broken, vault.source)).rejects.toMatchObject({ code: 'source_deleting' })

    // The next daemon finishes what the tombstone names.
    const next = createParts(kit)
    await next.deletion.resume()
    expect(await kit.listPaths(vault.id)).toEqual([])
    expect((await listSources(next, ada)).sources).toEqual([])
    expect((await addSource(next, vault.source)).created).toBe(true)
    await next.scheduler.close()
  },
)

onEachEngine('a deletion whose tombstone cannot be written changes nothing', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, { 'a.md': 'Words.' })
  await writeFile(join(kit.folder, '.daemon'), 'a file instead of a folder')

  await expect(createParts(kit).deletion.delete('ada', vault.id)).rejects.toThrow('ENOTDIR')
  expect(await kit.listPaths(vault.id)).toHaveLength(1)
  expect(JSON.parse(await files(kit.folder)).sources).toHaveLength(1)
})

onEachEngine('an edit of sources.json by a person stays after the next change', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, { 'a.md': 'Words.' })
  const file = join(kit.folder, 'sources.json')
  await writeFile(
    file,
    (await files(kit.folder)).replace(`"name": "${vault.source.name}"`, '"name": "A better name"'),
  )

  await kit.registry.update(vault.source, { enabled: false })

  const edited = { name: 'A better name', enabled: false }
  expect(await kit.registry.find(vault.id)).toMatchObject(edited)
  expect(JSON.parse(await files(kit.folder)).sources).toMatchObject([edited])
})

onEachEngine('an unreadable sources.json is never overwritten and lists nothing', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, { 'a.md': 'Words.' })
  await mkdir(kit.folder, { recursive: true })
  await writeFile(join(kit.folder, 'sources.json'), '[]')

  expect((await listSources(kit, ada)).sources).toEqual([])
  await expect(addSource(kit, vault.source)).rejects.toThrow('sources.json is invalid')
  expect(await files(kit.folder)).toBe('[]')
})

onEachEngine('a source is added once by each agent, and a re-post updates it', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, { 'a.md': 'Words.' })

  const again = await addSource(kit, { ...vault.source, name: 'Other' })
  expect(again).toMatchObject({ created: false, source: { id: vault.id, name: 'Other' } })
  expect(again.source.generation).toBe(vault.source.generation)

  const providerSettings = { agentId: 'bob' }
  const others = await addSource(kit, { ...vault.source, providerSettings })
  expect(others).toMatchObject({ created: true })
  expect(others.source.id).toMatch(new RegExp(`^${vault.id}:[0-9a-f]{8}$`))
  await kit.scheduler.close()
})

onEachEngine(
  'a source whose import works stays, and takes the rows of its owner along',
  async (db) => {
    const kit = await sourcesKit(db)
    const parts = createParts(kit)
    const state = { isActive: true, removed: [] as unknown[] }
    parts.importedRows.add({
      assertRemovable: async () => {
        if (state.isActive) throw new Refusal('conflict', 'busy', 'The import works.')
      },
      count: async () => 7,
      remove: async (source) => {
        state.removed.push(source)
      },
    })
    parts.importedRows.seal()
    const source = { agentId: 'ada', sourceId: 'import-1' }
    await registerImport(parts, { ...source, name: 'talks.jsonl', importKey: 'job:file:0' })

    await expect(parts.deletion.delete('ada', 'import-1')).rejects.toMatchObject({ code: 'busy' })
    expect((await listSources(parts, ada)).sources).toMatchObject([
      { id: 'import-1', stats: { artifacts: 7, chunks: 0, indexed: 7 } },
    ])

    state.isActive = false
    await parts.deletion.delete('ada', 'import-1')
    expect(state.removed).toEqual([source])
    expect((await listSources(parts, ada)).sources).toEqual([])
  },
)

function throwFull(): never {
  throw new Error('the disk is full')
}
