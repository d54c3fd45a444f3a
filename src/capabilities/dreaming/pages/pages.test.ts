import { expect } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { dreamingKit, onEachEngine } from '../dreaming.fixture.ts'
import { evidenceDependant } from '../forgetting.ts'
import type { DreamingNeeds } from '../needs.ts'
import { listPages } from '../store/pages.ts'
import { readPage, readPages } from './read-page.ts'

const dayMs = 86_400_000

/** Maud moves twice, over three days. */
async function moveTwice(kit: ReturnType<typeof dreamingKit>) {
  const ids: string[] = []
  for (const place of ['Lisbon', 'Porto', 'Faro']) {
    ids.push(
      await kit.remember(`Maud Reyes lives in ${place}. Maud Reyes likes the sea of ${place}.`),
    )
    await kit.dream()
    kit.host.advance(dayMs)
  }
  return ids
}

onEachEngine('a page shows values, changes and sentences with their sources', async (db) => {
  const kit = dreamingKit(db)
  const [, , faro = ''] = await moveTwice(kit)
  const { needs } = kit
  const { items } = await readPages(needs, 'ada')
  expect(items).toMatchObject([{ name: 'Maud Reyes', claims: 1 }])
  const { text, references } = await readPage(needs, 'ada', 'maud reyes')

  expect(text).toContain('## Now\n\n- location · lives_in: Faro (since 2026-01-04)')
  expect(text).toContain('- location · lives_in: Lisbon → Porto (2026-01-03)')
  expect(text).toContain('## Mentions')
  expect(references).toContainEqual(expect.objectContaining({ number: 1, ref: `memory:${faro}` }))
  for (const line of text.split('\n').filter((one) => one.startsWith('- ')))
    expect(line).toMatch(/\[\d+\]$/)
  expect((await readPage(needs, 'ada', 'Maud Reyes')).text).toBe(text)
  const stored = JSON.stringify(await listPages(db, 'ada'))
  expect(stored).not.toMatch(/Faro|Lisbon|sea/)
})

onEachEngine(
  'a page has no word of forgotten evidence, and none is left of a purge',
  async (db) => {
    const kit = dreamingKit(db)
    const [lisbon = ''] = await moveTwice(kit)
    const { needs } = kit
    await forget(db, kit, lisbon)
    expect((await readPage(needs, 'ada', 'Maud Reyes')).text).not.toContain('Lisbon')
    await evidenceDependant.purged(db, { agentId: 'ada', kind: 'memory', ids: [lisbon] })
    expect(await listPages(db, 'ada')).toEqual([])
  },
)

/** Forgets a memory with everything that follows it. */
async function forget(db: Db, kit: ReturnType<typeof dreamingKit>, id: string) {
  const { needs } = kit
  const change = { agentId: 'ada', kind: 'memory', ids: [id] } as const
  await kit.knowledge.evidenceDependant.forgotten(db, change)
  await evidenceDependant.forgotten(db, change)
  const { memory } = needs
  Object.assign(memory, { findEvidence: withoutMemory(memory.findEvidence, id) })
}

type FindEvidence = DreamingNeeds['memory']['findEvidence']

function withoutMemory(find: FindEvidence, gone: string): FindEvidence {
  return async (db, agentId, id) => (id === gone ? undefined : find(db, agentId, id))
}

onEachEngine('one statement, or one day, makes no page, and pages can be off', async (db) => {
  const kit = dreamingKit(db)
  for (const place of ['Lisbon', 'Porto', 'Faro'])
    await kit.remember(`Maud Reyes lives in ${place}.`)
  await kit.dream()
  expect(await readPages(kit.needs, 'ada')).toEqual({ items: [] })
  await expect(readPage(kit.needs, 'ada', 'Maud Reyes')).rejects.toMatchObject({
    kind: 'not_found',
  })
  kit.host.advance(dayMs)
  await moveTwice(kit)
  expect((await readPages(kit.needs, 'ada')).items).toHaveLength(1)
  expect(await readPages(kit.needs, 'bo')).toEqual({ items: [] })
  kit.state.config = { ...kit.state.config, pages: false }
  expect(await readPages(kit.needs, 'ada')).toEqual({ items: [] })
})
