import { expect } from 'vitest'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { snapshotBody } from '../file-schemas.ts'
import { hashOf } from '../source.ts'
import { ada, addVault, onEachEngine, type SourcesKit, sourcesKit } from '../sources.fixture.ts'
import { listArtifacts } from '../store/artifacts.ts'
import { exportSnapshot } from './export-snapshot.ts'
import { importSnapshot } from './import-snapshot.ts'

async function read(kit: SourcesKit, sourceId: string) {
  const { chunks } = await exportSnapshot(kit, ada, { sourceId, includeLocalChat: false })
  let text = ''
  for await (const chunk of chunks) text += String(chunk)
  return JSON.parse(text)
}

const restore = (kit: SourcesKit, sourceId: string, snapshot: unknown) =>
  importSnapshot(kit, ada, {
    sourceId,
    includeLocalChat: false,
    snapshot: snapshotBody.parse(snapshot),
  })

const notes = { 'a.md': '# Moss\n\nThe moss is wet.', 'b/c.md': '# Fern\n\nThe fern is dry.' }

onEachEngine('a snapshot restores what has changed or gone since', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, notes)
  const snapshot = await read(kit, vault.id)
  expect(snapshot).toMatchObject({
    version: 1,
    source: { id: vault.id, kind: 'notes-vault', root: vault.root },
    agentId: 'ada',
    skipped: { localChatArtifacts: 0 },
  })
  expect(snapshot.artifacts[0]).toMatchObject({
    sourceId: vault.id,
    sourcePath: expect.stringContaining('a.md'),
    content: '# Moss\n\nThe moss is wet.\n',
    sourceSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(snapshot.artifacts[0]).not.toHaveProperty('generation')
  const chunks = await kit.listChunks(vault.id)

  await vault.write('a.md', '# Moss\n\nThe moss is dry.')
  await vault.remove('b/c.md')
  await vault.write('new.md', 'A new note.')
  await kit.run(vault.id)
  expect(await restore(kit, vault.id, snapshot)).toEqual({
    ok: true,
    imported: 2,
    skipped: { localChatArtifacts: 0 },
  })

  expect((await read(kit, vault.id)).artifacts.map(toContent)).toEqual(
    snapshot.artifacts.map(toContent),
  )
  const toWords = (rows: typeof chunks) => rows.map(({ chunkId, text }) => [chunkId, text])
  expect(toWords(await kit.listChunks(vault.id))).toEqual(toWords(chunks))
})

const toContent = ({ sourcePath, content }: Readonly<Record<string, unknown>>) => [
  sourcePath,
  content,
]

onEachEngine('a snapshot with one wrong text changes nothing', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, notes)
  const snapshot = await read(kit, vault.id)
  const [good, bad] = snapshot.artifacts
  const refused = (changes: object) =>
    expect(restore(kit, vault.id, { ...snapshot, ...changes })).rejects.toMatchObject({
      kind: 'invalid',
    })

  await refused({ artifacts: [good, { ...bad, content: 'other words' }] })
  await refused({ artifacts: [good, { ...bad, sourceId: 'another' }] })
  await refused({ artifacts: [good, good] })
  await refused({ source: { ...snapshot.source, id: 'another' } })
  await refused({ source: { ...snapshot.source, kind: 'web' } })
  expect(snapshotBody.safeParse({ ...snapshot, version: 2 }).success).toBe(false)
  expect(await listArtifacts(db, vault.id, { after: '', limit: 10 })).toHaveLength(2)
})

onEachEngine('a snapshot waits for no run and no deletion', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, notes)
  const snapshot = await read(kit, vault.id)
  const source = await kit.registry.find(vault.id)
  if (source) kit.scheduler.enqueue(source)

  await expect(restore(kit, vault.id, snapshot)).rejects.toMatchObject({ code: 'snapshot_busy' })
  await kit.settle(vault.id)
  const bob = callerFor('bob')
  const request = { sourceId: vault.id, includeLocalChat: false }
  await expect(exportSnapshot(kit, bob, request)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(importSnapshot(kit, bob, { ...request, snapshot })).rejects.toMatchObject({
    kind: 'not_found',
  })
})

onEachEngine('credentials in a snapshot are not stored', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, { 'a.md': 'The moss is wet.' })
  const snapshot = await read(kit, vault.id)
  const key = `ghp_${'aB3dE5fG7h'.repeat(4)}`.slice(0, 40)
  const content = `The key is ${key}.\n`
  const artifacts = [
    {
      ...snapshot.artifacts[0],
      content,
      sourceSha256: hashOf(content),
      memorySentence: key,
      sourceMetaJson: JSON.stringify({ note: key }),
    },
  ]
  await restore(kit, vault.id, { ...snapshot, artifacts })

  expect(JSON.stringify(await read(kit, vault.id))).not.toContain(key)
  expect(JSON.stringify(await kit.listChunks(vault.id))).not.toContain(key)
})
