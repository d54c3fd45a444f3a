import { expect, onTestFinished, test } from 'vitest'
import { pageId, paragraph, startFakeWiki } from '../../../../../test/support/fake-wiki.ts'
import { sourcesSettings } from '../../config.ts'
import { addSource } from '../../manage.ts'
import { ada, onEachEngine } from '../../sources.fixture.ts'
import { describeRemoteKind, remoteKit, syntheticToken } from '../remote-kind.contract.ts'
import { draftWiki } from './settings.ts'

const { agentId } = ada
const tokenRef = 'SYNTHETIC_TOKEN'

async function wiki() {
  const origin = await startFakeWiki(syntheticToken)
  onTestFinished(() => origin.stop())
  const config = () => sourcesSettings.schema.parse({ wiki: { apiUrl: origin.url } })
  return { origin, options: { config } }
}

const draft = (maxPages?: number) => draftWiki({ agentId, tokenRef, maxPages }, undefined)
const pathOf = (number: number) => `${draft().root}/pages/${pageId(number)}`

const texts = {
  one: 'The quillwort grows in shallow water.',
  two: 'The sphagnum covers the bog.',
  three: 'The liverwort grows on wet stones.',
}
const numbers = { one: 1, two: 2, three: 3 }

describeRemoteKind('wiki', async () => {
  const { origin, options } = await wiki()
  const put = (name: keyof typeof numbers, text: string) =>
    origin.put(pageId(numbers[name]), { title: `Page ${name}`, blocks: [paragraph(text)] })
  for (const name of ['one', 'two', 'three'] as const) put(name, texts[name])
  return {
    origin,
    options,
    draft: draft(),
    put,
    remove: (name) => origin.remove(pageId(numbers[name])),
    pathOf: (name) => pathOf(numbers[name]),
    listing: /POST \/v1\/search/,
    two: new RegExp(`GET /v1/blocks/${pageId(2)}/children`),
  }
})

const rich = (words: string, href: string | null = null) => [{ plain_text: words, href }]

onEachEngine(
  'blocks, lists, tables and properties become Markdown, and unknown ones placeholders',
  async (db) => {
    const { origin, options } = await wiki()
    origin.put(pageId(1), {
      title: 'Beds',
      properties: {
        Stage: { type: 'select', select: { name: 'Planted' } },
        Due: { type: 'date', date: { start: '2026-05-01', end: '2026-05-03' } },
        Empty: { type: 'email', email: null },
      },
      blocks: [
        { type: 'heading_2', heading_2: { rich_text: rich('Tools') } },
        {
          type: 'bulleted_list_item',
          bulleted_list_item: { rich_text: rich('Spade') },
          children: [{ type: 'to_do', to_do: { rich_text: rich('Sharpen it'), checked: true } }],
        },
        { type: 'numbered_list_item', numbered_list_item: { rich_text: rich('Dig') } },
        { type: 'numbered_list_item', numbered_list_item: { rich_text: rich('Rake') } },
        { type: 'paragraph', paragraph: { rich_text: rich('A link', 'https://site.example/') } },
        { type: 'code', code: { rich_text: rich('let a = 1'), language: 'rust' } },
        { type: 'hologram', hologram: {} },
        {
          type: 'table',
          table: {},
          children: [{ type: 'table_row', table_row: { cells: [rich('a'), rich('b')] } }],
        },
      ],
    })
    const kit = await remoteKit(db, { origin, options })
    await addSource(kit, draft())
    expect(await kit.settle(draft().id)).toMatchObject({ status: 'complete', scanned: 1 })

    const text = (await kit.listChunks(draft().id)).map((chunk) => chunk.text).join('\n')
    for (const line of [
      '- Stage: Planted',
      '- Due: 2026-05-01 to 2026-05-03',
      '## Tools',
      '- Spade\n  - [x] Sharpen it',
      '1. Dig\n2. Rake',
      '[A link](https://site.example/)',
      '```rust\nlet a = 1\n```',
      '[Unsupported block: hologram]',
      '| a | b |',
    ])
      expect(text).toContain(line)
    expect(text).not.toContain('Empty')
  },
)

onEachEngine('a page that the list misses but the wiki still has is not removed', async (db) => {
  const { origin, options } = await wiki()
  for (const number of [1, 2])
    origin.put(pageId(number), { title: `P${number}`, blocks: [paragraph(`Words of ${number}.`)] })
  const kit = await remoteKit(db, { origin, options })
  await addSource(kit, draft())
  await kit.settle(draft().id)

  origin.fail(/POST \/v1\/search/, { body: { results: [], has_more: false, next_cursor: null } })
  expect(await kit.run(draft().id)).toMatchObject({ status: 'complete' })
  expect(await kit.listPaths(draft().id)).toHaveLength(2)
})

onEachEngine('pages beyond the limit are not read, and older ones are not removed', async (db) => {
  const { origin, options } = await wiki()
  const put = (number: number) =>
    origin.put(pageId(number), { title: `P${number}`, blocks: [paragraph(`Words of ${number}.`)] })
  for (const number of [1, 2, 3]) put(number)
  const kit = await remoteKit(db, { origin, options })
  await addSource(kit, draft(2))
  await kit.settle(draft().id)
  expect(await kit.listPaths(draft().id)).toEqual([pathOf(2), pathOf(3)])

  put(4)
  await kit.run(draft().id)
  expect(await kit.listPaths(draft().id)).toEqual([pathOf(2), pathOf(3), pathOf(4)])
})

onEachEngine('a block that cannot be read is a placeholder and a failure', async (db) => {
  const { origin, options } = await wiki()
  origin.put(pageId(1), {
    title: 'Half',
    blocks: [{ ...paragraph('The first half.'), children: [paragraph('The second half.')] }],
  })
  origin.fail(new RegExp(`${pageId(1)}-0/children`), { status: 404 })
  const kit = await remoteKit(db, { origin, options })
  await addSource(kit, draft())
  expect(await kit.settle(draft().id)).toMatchObject({ status: 'failed' })
  const [chunk] = await kit.listChunks(draft().id)
  expect(chunk?.text).toContain('[Missing block:')

  expect(await kit.run(draft().id)).toMatchObject({ status: 'complete' })
  expect((await kit.listChunks(draft().id))[0]?.text).toContain('The second half.')
})

onEachEngine('blocks of unknown types are requested one by one, within a budget', async (db) => {
  const { origin, options } = await wiki()
  const blocks = Array.from({ length: 30 }, (_, number) => ({
    type: 'hologram',
    ...(number > 0 && { resolved: paragraph(`Beam ${number} is green.`) }),
  }))
  origin.put(pageId(1), { title: 'Beams', blocks })
  const kit = await remoteKit(db, { origin, options })
  const words = async () => (await kit.listChunks(draft().id)).map(({ text }) => text).join('\n')
  const countSingle = () =>
    origin.requests.filter(({ path }) => /^\/v1\/blocks\/[^/]+$/.test(path)).length
  await addSource(kit, draft())
  await kit.settle(draft().id)
  expect(countSingle()).toBe(25)
  expect(await words()).toContain('Beam 24 is green.')
  expect((await words()).split('[Unsupported block: hologram]')).toHaveLength(7)

  await kit.run(draft().id)
  expect(countSingle()).toBe(55)
  expect(await words()).toContain('Beam 29 is green.')
  expect((await words()).split('[Unsupported block: hologram]')).toHaveLength(2)
  await kit.run(draft().id)
  expect(countSingle()).toBe(55)
})

onEachEngine('a removal that the wiki does not confirm removes nothing', async (db) => {
  const { origin, options } = await wiki()
  for (const number of [1, 2])
    origin.put(pageId(number), { title: `P${number}`, blocks: [paragraph(`Words of ${number}.`)] })
  const kit = await remoteKit(db, { origin, options })
  await addSource(kit, draft())
  await kit.settle(draft().id)

  origin.remove(pageId(2))
  origin.fail(/GET \/v1\/pages\//, { status: 418 })
  expect(await kit.run(draft().id)).toMatchObject({ status: 'failed' })
  expect(await kit.listPaths(draft().id)).toContain(pathOf(2))
  expect(await kit.run(draft().id)).toMatchObject({ status: 'complete' })
  expect(await kit.listPaths(draft().id)).toEqual([pathOf(1)])
})

onEachEngine('lists whose pages repeat end, and remove nothing', async (db) => {
  const { origin, options } = await wiki()
  origin.put(pageId(1), { title: 'P1', blocks: [paragraph('Words of one.')] })
  const kit = await remoteKit(db, { origin, options })
  await addSource(kit, draft())
  await kit.settle(draft().id)

  for (const cursor of ['a', 'b', 'a'])
    origin.fail(/POST \/v1\/search/, { body: { results: [], has_more: true, next_cursor: cursor } })
  expect(await kit.run(draft().id)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('repeat'),
  })
  expect(await kit.listPaths(draft().id)).toHaveLength(1)
})

test.each([['secret_', 'x'.repeat(40)], ['ntn', '_', 'x'.repeat(30)], ['a b']])(
  'a token in place of its name is refused',
  (...parts) => {
    expect(() => draftWiki({ agentId, tokenRef: parts.join('') }, undefined)).toThrow(
      'name of a secret',
    )
  },
)
