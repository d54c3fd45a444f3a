import { expect } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { artifactEvidence } from '../evidence-source.ts'
import { readHealth } from '../manage.ts'
import { ada, addVault, onEachEngine, sourcesKit } from '../sources.fixture.ts'

const garden = [
  '---',
  'aliases: [Plot]',
  '---',
  'The garden lies behind the old house.',
  '',
  '# Roses',
  '',
  '- Roses need water every single morning.',
  '- short',
  '',
  '## Pests',
  '',
  'Green aphids sit below the leaves. See [[Tools]] and [[missing]].',
].join('\n')

/** Rows of the graph by readable names. */
async function readGraph(db: Db) {
  const rows = db.withTables<Record<string, Record<string, unknown>>>()
  const entities = await rows.selectFrom('entities').selectAll().execute()
  const names = new Map(entities.map(({ id, name }) => [id, String(name)]))
  const aspects = await rows.selectFrom('entityAspects').selectAll().orderBy('name').execute()
  const claims = await rows.selectFrom('entityAttributes').selectAll().orderBy('claimKey').execute()
  const links = await rows.selectFrom('entityDependencies').selectAll().execute()
  return {
    entities: entities.map(({ entityType, name }) => `${entityType} ${name}`).toSorted(),
    aspects: aspects.map(({ name, weight }) => `${name} ${weight}`),
    claims: claims.map(({ claimKey, content }) => `${claimKey}: ${content}`),
    links: links
      .map(({ sourceEntityId: from, dependencyType: type, targetEntityId: to }) =>
        [names.get(from), type, names.get(to)].join(' '),
      )
      .toSorted(),
  }
}

onEachEngine('a note has an entity with its sections, statements and links', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, { 'home/Garden.md': garden, 'Tools.md': 'A spade, a rake.' })

  const graph = await readGraph(db)
  expect(graph).toEqual({
    entities: [
      'source vault',
      'source_document Garden, Plot',
      'source_document Tools',
      'source_document_reference home',
    ],
    aspects: ['Overview 0.7', 'Pests 0.7', 'Roses 0.9'],
    claims: [
      'overview_1: The garden lies behind the old house.',
      'pests_1: Green aphids sit below the leaves. See [[Tools]] and [[missing]].',
      'roses_1: Roses need water every single morning.',
    ],
    links: [
      'Garden, Plot links_to Tools',
      'home contains Garden, Plot',
      'vault contains Tools',
      'vault contains home',
    ],
  })
  const { health } = await readHealth(kit, ada, vault.id)
  expect(health.semantic).toEqual({
    total: 14,
    entities: 4,
    aspects: 3,
    attributes: 3,
    dependencies: 4,
    communities: 0,
    documents: 2,
    documentEntityId: expect.stringMatching(/^src_[0-9a-f]{32}$/),
  })
})

onEachEngine('links resolve when their target appears, and end with it', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, {
    'a.md': 'See [[Plot]], please.',
    'b.md': 'See [[sub/x]] and [more](sub/x.md).',
  })
  const links = async () => (await readGraph(db)).links.filter((link) => link.includes('links_to'))
  expect(await links()).toEqual([])

  await vault.write('sub/x.md', '---\naliases: Plot\n---\nThe words of the target.')
  await kit.run(vault.id)
  expect(await links()).toEqual(['a links_to x, Plot', 'b links_to x, Plot'])

  await vault.write('other/x.md', 'Another note with the file name.')
  await kit.run(vault.id)
  expect(await links()).toEqual(['a links_to x, Plot', 'b links_to x, Plot'])

  await vault.remove('sub')
  await kit.run(vault.id)
  expect(await links()).toEqual(['b links_to x'])
  expect((await readGraph(db)).entities).not.toContain('source_document_reference sub')
})

onEachEngine(
  'an edit replaces the rows of its note alone, and a deletion leaves none',
  async (db) => {
    const kit = await sourcesKit(db)
    const vault = await addVault(kit, {
      'a.md': '# One\n\nThe first statement of the note.',
      'b.md': garden,
    })
    await vault.write('a.md', '# Two\n\nThe second statement of the note.')
    await kit.run(vault.id)

    const { aspects, claims } = await readGraph(db)
    expect(aspects).toEqual(['Overview 0.7', 'Pests 0.7', 'Roses 0.9', 'Two 0.9'])
    expect(claims).toContain('two_1: The second statement of the note.')

    await kit.deletion.delete('ada', vault.id)
    expect(await readGraph(db)).toEqual({ entities: [], aspects: [], claims: [], links: [] })
  },
)

onEachEngine('an artifact is evidence of its agent until it is removed', async (db) => {
  const kit = await sourcesKit(db)
  const vault = await addVault(kit, { 'a.md': 'The quote of the note.' })
  const path = vault.pathOf('a.md')

  expect(await artifactEvidence.read(db, 'ada', path)).toMatchObject({
    text: 'The quote of the note.\n',
    trust: 'external',
    visibility: 'private',
  })
  expect(await artifactEvidence.read(db, 'bob', path)).toBeUndefined()
  await kit.deletion.delete('ada', vault.id)
  expect(await artifactEvidence.read(db, 'ada', path)).toBeUndefined()
})
