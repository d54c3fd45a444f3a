import { expect, test } from 'vitest'
import { transaction } from '../../../kernel/db/transaction.ts'
import { dumpAll, type Operation, onEachEngine, ontologyKit } from '../ontology.fixture.ts'
import { proposableOperations } from './catalogue.ts'

const slot = { entity: 'Atlas', aspect: 'tools', claim_key: 'editor' }
const seed: readonly Operation[] = [
  ['create_entity', { name: 'Atlas', entity_type: 'project' }],
  ['create_entity', { name: 'Orion', entity_type: 'project' }],
  ['create_entity', { name: 'Atlas Two', entity_type: 'project' }],
  ['set_claim_value', { ...slot, value: 'vim' }],
  ['set_claim_value', { ...slot, value: 'nano' }],
  ['add_claim_value', { ...slot, aspect: 'people', claim_key: 'owner', value: 'Maud' }],
  ['add_claim_value', { ...slot, entity: 'Atlas Two', value: 'emacs' }],
  ['create_link', { source_entity: 'Atlas', target_entity: 'Orion', link_type: 'uses' }],
]

interface Ids {
  readonly vim: unknown
  readonly nano: unknown
  readonly link: unknown
  readonly atlas: unknown
}

const operations: readonly ((ids: Ids) => Operation)[] = [
  () => ['create_entity', { name: 'Gemini', entity_type: 'tool', description: 'a tool' }],
  () => ['rename_entity', { entity: 'Atlas', new_name: 'Atlas Three' }],
  () => ['archive_entity', { entity: 'Atlas', reason: 'closed' }],
  () => ['merge_entities', { target: 'Atlas', sources: ['Atlas Two'] }],
  () => ['create_aspect', { entity: 'Atlas', aspect: 'places', weight: 0.9 }],
  () => ['rename_aspect', { entity: 'Atlas', aspect: 'tools', new_name: 'instruments' }],
  () => ['archive_aspect', { entity: 'Atlas', aspect: 'tools' }],
  () => ['add_claim_value', { ...slot, value: 'emacs', review_after: '2030-01-01' }],
  () => ['set_claim_value', { ...slot, value: 'emacs', kind: 'claim', importance: 0.9 }],
  () => ['supersede_claim_value', { ...slot, old_value: 'NANO', new_value: 'emacs' }],
  ({ nano }) => ['archive_claim_value', { attribute_id: nano }],
  ({ vim }) => ['restore_claim_version', { attribute_id: vim }],
  () => [
    'import_claim_value',
    { ...slot, value: 'joe', version: '7', status: 'superseded', mode: 'set' },
  ],
  () => ['create_link', { source_entity: 'Orion', target_entity: 'Atlas', link_type: 'informs' }],
  ({ link }) => ['update_link', { link_id: link, strength: 0.9, reason: 'measured' }],
  ({ link }) => ['archive_link', { id: link }],
  () => ['create_policy', { target_entity: 'Atlas', kind: 'release', content: 'never on Friday' }],
  () => ['create_action_type', { name: 'Deploy Nightly' }],
  () => ['create_interface', { name: 'Search Api' }],
  () => ['attach_interface', { entity: 'Atlas', interface: 'Orion' }],
  () => ['pin_entity', { entity: 'Atlas' }],
  ({ nano }) => ['pin_claim', { attribute_id: nano }],
  () => ['create_entity_alias', { entity: 'Atlas', alias: 'The Big One' }],
  () => ['split_entity', { entity: 'Atlas', name: 'Part', aspect_ids: [], attribute_ids: [] }],
]

test('every operation of proposals is tested', () => {
  const ids = { vim: '', nano: '', link: '', atlas: '' }
  const names = operations.map((operation) => operation(ids)[0])
  expect(proposableOperations.filter((name) => !names.includes(name))).toEqual([])
})

for (let first = 0; first < operations.length; first += 6)
  onEachEngine(`operations from ${first} on are applied, audited and undone`, async (db) => {
    const { apply, undo, host } = ontologyKit(db)
    const seeded = await apply(seed)
    expect(seeded.items.map(({ error }) => error)).toEqual(seed.map(() => undefined))
    const field = (at: number, name: string) => seeded.items[at]?.result?.[name]
    const ids = {
      vim: field(3, 'attributeId'),
      nano: field(4, 'attributeId'),
      link: field(7, 'dependencyId'),
      atlas: field(0, 'entityId'),
    }
    const before = await dumpAll(db)
    for (const operation of operations.slice(first, first + 6)) {
      host.advance(1000)
      const [name, payload] = operation(ids)
      const { items } = await apply([[name, payload]])
      expect([name, items[0]?.status, items[0]?.error]).toEqual([name, 'applied', undefined])
      expect(await dumpAll(db)).not.toEqual(before)
      host.advance(1000)
      await undo({ proposalId: String(items[0]?.proposalId) })
      expect(await dumpAll(db)).toEqual(before)
    }
  })

onEachEngine('a batch is undone as one, and only once', async (db) => {
  const { apply, undo } = ontologyKit(db)
  const before = await dumpAll(db)
  const { batchId } = await apply(seed)

  const { undoneIds } = await undo({ batchId: String(batchId) })
  expect(undoneIds).toHaveLength(seed.length)
  expect(await dumpAll(db)).toEqual(before)
  await expect(undo({ batchId: String(batchId) })).rejects.toMatchObject({ code: 'not_applied' })
  await expect(undo({ batchId: 'unknown' })).rejects.toMatchObject({ code: 'not_found' })
})

onEachEngine('an operation cannot be undone after its images expired', async (db) => {
  const { apply, undo, host } = ontologyKit(db)
  const { batchId } = await apply([['create_entity', { name: 'Atlas' }]])
  host.advance(31 * 86_400_000)

  await expect(undo({ batchId: String(batchId) })).rejects.toMatchObject({ code: 'undo_expired' })
})

onEachEngine('the results name what changed', async (db) => {
  const { apply } = ontologyKit(db)
  const { items } = await apply([
    ...seed,
    ['supersede_claim_value', { ...slot, old_value: 'nano', new_value: 'emacs' }],
    ['merge_entities', { target: 'Atlas', sources: ['Atlas Two'] }],
    ['merge_entities', { target: 'Atlas', sources: ['Atlas Two'] }],
  ])
  const [vim, nano] = [items[3]?.result?.['attributeId'], items[4]?.result?.['attributeId']]
  expect(items[4]?.result).toMatchObject({
    version: 2,
    versionRootId: vim,
    previousAttributeId: vim,
    previousWasActive: true,
    supersededAttributeIds: [vim],
  })
  expect(items[8]?.result).toMatchObject({
    supersededAttributeIds: [nano],
    replacementCreated: true,
  })
  expect(items[9]?.result).toMatchObject({
    targetEntityName: 'Atlas',
    mergedEntities: [{ name: 'Atlas Two', movedAspects: 1 }],
    alreadyMergedEntities: [],
  })
  expect(items[10]).toMatchObject({ status: 'no_change' })
  expect(items[10]?.result).toMatchObject({
    mergedEntities: [],
    alreadyMergedEntities: ['Atlas Two'],
  })
})

const refused: readonly [Operation, string, string][] = [
  [['create_entity', {}], 'invalid', 'name is required'],
  [['create_entity', { name: 'x' }], 'invalid', 'Entity name rejected: too_short'],
  [['create_entity', { name: 'a\0b' }], 'invalid', 'name must not contain NUL'],
  [['create_entity', { name: 'Gemini', entity_type: 'soup' }], 'invalid', 'entity_type is invalid'],
  [['rename_entity', { entity: 'Atlas', new_name: 'Orion' }], 'conflict', 'Another entity'],
  [['archive_entity', { entity: 'Nothing' }], 'not_found', 'Entity not found'],
  [['merge_entities', { target: 'Atlas' }], 'invalid', 'sources is required'],
  [['merge_entities', { target: 'Atlas', sources: ['atlas'] }], 'invalid', 'into itself'],
  [['create_aspect', { entity: 'Nothing', aspect: 'tools' }], 'not_found', 'Entity not found'],
  [['add_claim_value', { ...slot, value: '' }], 'invalid', 'value is required'],
  [['add_claim_value', { ...slot, value: 'a', confidence: 'high' }], 'invalid', 'confidence must'],
  [['add_claim_value', { ...slot, value: 'a', kind: 'soup' }], 'invalid', 'kind must be one of'],
  [['supersede_claim_value', { ...slot, old_value: 'soup' }], 'invalid', 'nothing active matches'],
  [['archive_claim_value', { attribute_id: 'x' }], 'not_found', 'Attribute not found'],
  [
    ['create_link', { source_entity: 'Atlas', target_entity: 'Atlas', link_type: 'uses' }],
    'invalid',
    'source and target must differ',
  ],
  [
    ['create_link', { source_entity: 'Atlas', target_entity: 'Orion', link_type: 'soup' }],
    'invalid',
    'link_type is invalid',
  ],
  [
    ['create_link', { source_entity: 'Atlas', target_entity: 'Orion', link_type: 'related_to' }],
    'invalid',
    'reason is required',
  ],
  [['update_link', { id: 'x', strength: 1 }], 'not_found', 'Link not found'],
]

onEachEngine('refused operations name their cause and change nothing', async (db) => {
  const { apply } = ontologyKit(db)
  await apply(seed)
  const before = await dumpAll(db)
  for (const [operation, kind, message] of refused) {
    const { items } = await apply([operation])
    const error = { kind, message: expect.stringContaining(message) }
    expect([operation, items[0]]).toMatchObject([operation, { status: 'failed', error }])
  }
  expect(await dumpAll(db)).toEqual(before)
})

onEachEngine(
  'operations cannot change what source indexing wrote, by name or by id',
  async (db) => {
    const { apply, knowledge } = ontologyKit(db)
    await apply(seed)
    const document = {
      agentId: 'ada',
      sourceId: 'notes-vault:1',
      path: 'guide.md',
      generation: '1',
    }
    const section = { heading: 'Tools', level: 1, statements: ['Vim is the editor.'] }
    const rows = {
      name: 'Guide',
      sourceKind: 'source_notes_vault_markdown',
      sourceRoot: '/vault',
      group: 'notes_vault',
      parentPaths: [],
      sections: [section],
      names: [],
      links: [],
      at: '2026-01-01T00:00:00.000Z',
    }
    await transaction(db, (db) => knowledge.sourceGraph.replacePaths(db, [{ ...document, rows }]))
    const before = await dumpAll(db)
    const idOf = (table: string) => {
      const row = (before as Record<string, readonly string[]>)[table]?.find((one) =>
        one.includes('src_'),
      )
      return String(JSON.parse(row ?? '{}').id)
    }
    const entity_id = knowledge.sourceGraph.documentId(document)
    const attribute_id = idOf('entityAttributes')
    const link_id = idOf('entityDependencies')
    const attempts: readonly Operation[] = [
      ['rename_entity', { entity_id, new_name: 'Handbook', force: true }],
      ['archive_entity', { entity_id, force: true }],
      ['pin_entity', { entity_id }],
      ['merge_entities', { target: 'Atlas', source_ids: [entity_id], force: true }],
      ['create_aspect', { entity_id, aspect: 'more' }],
      ['add_claim_value', { entity_id, aspect: 'Tools', claim_key: 'editor', value: 'nano' }],
      ['set_claim_value', { entity_id, aspect: 'Tools', claim_key: 'tools_1', value: 'nano' }],
      ['supersede_claim_value', { attribute_id, ...slot, force: true }],
      ['supersede_claim_value', { attribute_id, ...slot, new_value: 'nano' }],
      ['archive_claim_value', { attribute_id, force: true }],
      ['restore_claim_version', { attribute_id, force: true }],
      ['pin_claim', { attribute_id }],
      ['create_link', { source_entity: 'Atlas', target_entity_id: entity_id, link_type: 'uses' }],
      ['update_link', { link_id, strength: 0.1 }],
      ['archive_link', { link_id }],
    ]

    expect([attribute_id, link_id]).toEqual(Array(2).fill(expect.stringMatching(/^src_/)))
    for (const attempt of attempts) {
      const { items } = await apply([attempt])
      expect([attempt[0], items[0]?.status]).toEqual([attempt[0], 'failed'])
      expect(items[0]?.error?.kind).toMatch(/^(not_found|invalid)$/)
    }
    expect(await dumpAll(db)).toEqual(before)
  },
)
