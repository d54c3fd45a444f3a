import { rename } from 'node:fs/promises'
import { expect } from 'vitest'
import { readSourceHealth, readStats } from './source-health.ts'
import { addVault, onEachEngine, sourcesKit } from './sources.fixture.ts'

const words = 'The committee approved the proposal after a long discussion of its details. '
const section = (name: string, text = words) => `## ${name}\n\n${text.repeat(30)}\n\n`

onEachEngine('notes of a vault are indexed into chunks, and hidden ones are not', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, {
    'garden.md': '# Garden\n\nTomatoes grow near the wall.',
    'sub/bees.markdown': 'Bees need water.',
    '.obsidian/app.md': 'settings',
    'picture.png': 'no note',
  })

  expect(vault.job).toMatchObject({ status: 'complete', scanned: 2, total: 2, indexed: 2 })
  expect(await kit.listPaths(vault.id)).toEqual(vault.pathsOf(['garden.md', 'sub/bees.markdown']))
  expect(await kit.listChunks(vault.id)).toMatchObject([
    { heading: 'garden', text: '# Garden\n\nTomatoes grow near the wall.', lineFrom: 1, lineTo: 3 },
    { heading: 'bees', text: 'Bees need water.', sourceType: 'source_notes_vault_chunk' },
  ])
  expect(await readStats(kit, vault.source)).toEqual({ artifacts: 2, chunks: 0, indexed: 2 })
  expect(await readSourceHealth(kit, vault.source)).toMatchObject({ status: 'healthy' })
  expect(kit.statuses).toEqual(['queued', 'running', 'complete'])
})

onEachEngine('an edit of one section changes the rows of that section alone', async (db) => {
  const kit = await sourcesKit(db)
  const sections = Array.from({ length: 50 }, (_, at) => section(`Part ${at}`))
  const vault = await addVault(kit, { 'long.md': sections.join('') })
  const before = await kit.listChunks(vault.id)

  const edited = sections.with(7, section('Part 7', 'Another text stands here and it is new. '))
  await vault.write('long.md', edited.join(''))
  await kit.run(vault.id)

  const after = await kit.listChunks(vault.id)
  const known = new Map(before.map(({ id, revision }) => [id, revision]))
  const changed = after.filter(({ id, revision }) => known.get(id) !== revision)
  expect(changed.length).toBeGreaterThan(0)
  for (const { heading } of changed) expect(heading).toBe('long / Part 7')
})

onEachEngine('an unchanged vault is listed and not read again', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, { 'a.md': 'One note of few words.' })
  const [before] = await kit.listChunks(vault.id)

  expect(await kit.run(vault.id)).toMatchObject({ status: 'complete', scanned: 1, indexed: 0 })
  expect(await kit.listChunks(vault.id)).toEqual([before])
})

onEachEngine('a deleted and a renamed note are followed', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, { 'a.md': 'First note.', 'b.md': 'Second note.' })

  await vault.remove('a.md')
  await rename(vault.pathOf('b.md'), vault.pathOf('c.md'))
  await kit.run(vault.id)

  expect(await kit.listPaths(vault.id)).toEqual(vault.pathsOf(['c.md']))
  expect(await kit.listChunks(vault.id)).toMatchObject([{ heading: 'c', text: 'Second note.' }])
})

onEachEngine('a missing root fails the run and deletes nothing', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, { 'a.md': 'First note.' })

  await rename(vault.root, `${vault.root}-away`)

  expect(await kit.run(vault.id)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^root_missing/),
  })
  expect(await kit.listPaths(vault.id)).toHaveLength(1)
})

onEachEngine('many missing notes are removed when a second run sees the same', async (db) => {
  const kit = await sourcesKit(db)
  const names = Array.from({ length: 30 }, (_, at) => `note-${at}.md`)
  const vault = await addVault(
    kit,
    Object.fromEntries(names.map((name) => [name, `About ${name}.`])),
  )
  for (const name of names.slice(2)) await vault.remove(name)

  expect(await kit.run(vault.id)).toMatchObject({ status: 'paused', pauseReason: 'many_missing' })
  expect(await kit.listPaths(vault.id)).toHaveLength(30)
  kit.host.advance(61_000)

  expect(await kit.run(vault.id)).toMatchObject({ status: 'complete' })
  expect(await kit.listPaths(vault.id)).toHaveLength(2)
})

onEachEngine(
  'an oversized note fails alone, and its failure ends with the next good run',
  async (db) => {
    const kit = await sourcesKit(db)
    const vault = await addVault(kit, {
      'good.md': 'A good note.',
      'big.md': 'x'.repeat(5 * 1024 * 1024 + 1),
    })

    expect(vault.job).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('1 item failed'),
    })
    expect(await kit.listPaths(vault.id)).toContain(vault.pathOf('good.md'))
    expect(await readSourceHealth(kit, vault.source)).toMatchObject({
      status: 'degraded',
      failures: { total: 1, recoverable: 0 },
    })

    await vault.write('big.md', 'Now it is short.')
    expect(await kit.run(vault.id)).toMatchObject({ status: 'complete' })
    expect(await readSourceHealth(kit, vault.source)).toMatchObject({ failures: { total: 0 } })
  },
)

onEachEngine(
  'front matter, links and conflict copies are metadata; credentials are removed',
  async (db) => {
    const kit = await sourcesKit(db)
    const key = `ghp_${'aB3dE5fG7h'.repeat(4)}`.slice(0, 40)
    const vault = await addVault(kit, {
      'plan.md': `---\ntags: [work, "#deep"]\naliases: Roadmap\n---\nSee [[Bees#Water|the bees]] and [x](sub/y.md). ${key}`,
      'plan (conflicted copy 2024).md': 'Another text.',
      'odd.md': '---\n[broken: {\n---\nStill read.',
    })

    const rows = await kit.listChunks(vault.id)
    const meta = await db
      .withTables<{ sourceArtifacts: { sourcePath: string; sourceMetaJson: string | null } }>()
      .selectFrom('sourceArtifacts')
      .select(['sourcePath', 'sourceMetaJson'])
      .orderBy('sourcePath')
      .execute()
    expect(meta.map(({ sourceMetaJson }) => JSON.parse(sourceMetaJson ?? '{}'))).toEqual([
      { warnings: ['front_matter_unreadable'] },
      { conflictOf: 'plan' },
      { tags: ['work', 'deep'], aliases: ['Roadmap'], links: ['Bees', 'sub/y.md'] },
    ])
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(rows.map(({ heading }) => heading)).toContain('plan, Roadmap')
  },
)
