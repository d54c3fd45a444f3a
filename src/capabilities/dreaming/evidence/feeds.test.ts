import { expect } from 'vitest'
import { dreamingKit, onEachEngine } from '../dreaming.fixture.ts'
import { enqueueAttention } from '../enqueue-attention.ts'
import { readStatus } from '../status.ts'
import { listPendingAttention } from '../store/attention.ts'

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`

/** Artifacts of another capability, in memory. */
function artifactsOf(texts: Map<string, string>) {
  const rows = () =>
    [...texts].map(([id, text], index) => ({
      id,
      contentHash: text,
      sourceTime: at(0),
      updatedAt: at(index),
      chars: text.length,
    }))
  const after = (cursor: { readonly updatedAt: string }) =>
    rows().filter(({ updatedAt }) => updatedAt > cursor.updatedAt)
  return {
    kind: 'artifact' as const,
    read: async (_db: unknown, _agentId: string, id: string) => {
      const text = texts.get(id)
      const fields = { sourceTime: at(0), project: null, trust: 'external' } as const
      return text === undefined ? undefined : { text, visibility: 'private' as const, ...fields }
    },
    changes: {
      list: async (
        _db: unknown,
        _agentId: string,
        page: { readonly after: { updatedAt: string } },
      ) => after(page.after),
      sum: async (_db: unknown, _agentId: string, cursor: { readonly updatedAt: string }) => ({
        chars: after(cursor).reduce((sum, { chars }) => sum + chars, 0),
        count: after(cursor).length,
        oldestAt: null,
      }),
    },
  }
}

onEachEngine('artifacts are read once, and finish the items of their import', async (db) => {
  const texts = new Map([
    ['notes/one.md', 'Maud Reyes lives in Lisbon.'],
    ['notes/a b.md', 'Nothing of note.'],
  ])
  const kit = dreamingKit(db, {}, { sources: [artifactsOf(texts)] })
  const { dream, needs, values } = kit
  const subjectRef = 'source:notes'
  const details = { reason: 'import-completed' }
  const item = { agentId: 'ada', kind: 'hygiene', subjectRef, details, priority: 40 } as const
  await enqueueAttention(needs, item)
  expect((await readStatus(needs, 'ada')).backlog.sources).toBe(2)
  const preview = await dream({ dryRun: true })
  expect(preview.pass).toMatchObject({ sourceCount: 2, disposition: 'planned' })
  expect(await listPendingAttention(db, 'ada', 10)).toHaveLength(1)

  const { operations } = await dream()
  expect(operations).toMatchObject([
    { state: 'applied', evidence: [{ sourceKind: 'artifact', sourceId: 'notes/one.md' }] },
  ])
  expect(await values('Maud Reyes')).toEqual(['Lisbon'])
  expect(await listPendingAttention(db, 'ada', 10)).toEqual([])
  expect((await readStatus(needs, 'ada')).backlog.sources).toBe(0)
  expect((await dream()).pass.summary).toBe('Nothing new to read.')

  texts.set('notes/new.md', 'Ines Sol lives in Faro.')
  expect((await dream()).pass).toMatchObject({ sourceCount: 1, appliedCount: 1 })
  const { pass, operations: again } = await dream({ mode: 'compact' })
  expect([pass.sourceCount, again]).toEqual([2, []])
})
