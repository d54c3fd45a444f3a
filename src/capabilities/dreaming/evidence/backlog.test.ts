import { expect } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { plansOf } from '../../../kernel/testing/plan-of.ts'
import { dreamingKit, onEachEngine } from '../dreaming.fixture.ts'
import { agentRemoval, evidenceDependant } from '../forgetting.ts'
import { requeueSource } from '../requeue.ts'
import { saveExclusion } from '../store/attention.ts'
import { findEntries, listPending, saveEntries, saveState, sumPending } from '../store/evidence.ts'
import { readBacklog } from './backlog.ts'
import type { EvidenceEntry } from './evidence.ts'
import { scanChanges } from './scan.ts'

const key = { agentId: 'ada', sourceKind: 'memory' } as const

onEachEngine('the backlog follows what passes see, leave out, forget and delete', async (db) => {
  const { needs, memory, remember, dream } = dreamingKit(db)
  const count = async () => (await readBacklog(needs, db, 'ada', 'rulesChars')).sources
  const ids = [await remember('Ines Sol lives in Faro.'), await remember('Nothing of note.')]
  expect(await count()).toBe(2)
  // A pass has seen the memories and read none.
  const { entries, memoryCursor } = await scanChanges(needs, db, 'ada')
  await saveEntries(db, 'ada', entries)
  await saveState(db, 'ada', { memoryCursor })
  expect(await count()).toBe(2)

  const [excluded = '', forgotten = ''] = ids
  await saveExclusion(db, { ...key, ...exclusion, sourceId: excluded })
  expect(await readBacklog(needs, db, 'ada', 'rulesChars')).toMatchObject({
    sources: 1,
    tokens: 4,
  })
  await requeueSource(needs, { agentId: 'ada' }, { sourceKind: 'memory', sourceId: excluded })
  expect(await count()).toBe(2)
  await evidenceDependant.forgotten(db, { agentId: 'ada', kind: 'memory', ids: [forgotten] })
  expect(await count()).toBe(1)
  await dream()
  expect(await count()).toBe(0)

  await remember('Maud Reyes lives in Lisbon.')
  expect(await count()).toBe(1)
  await saveEntries(db, 'ada', entries)
  await agentRemoval.archive(db, 'ada')
  await memory.agentRemoval.archive(db, 'ada')
  expect(await count()).toBe(0)
})

const exclusion = {
  reason: 'semantic_operation_rejected',
  passId: null,
  excludedAt: '2026-01-01T00:00:00.000Z',
  requeueRequestedAt: null,
  resolvedAt: null,
}

const entry: EvidenceEntry = {
  sourceKind: 'memory',
  sourceId: 'm1',
  contentHash: 'h',
  sourceTime: '2026-01-01T00:00:00.000Z',
  chars: 9,
  rulesChars: 9,
  modelChars: 0,
  priority: 0,
  disposition: 'read',
  passId: null,
}

onEachEngine('queries of the backlog read an index, not what has been read', async (db) => {
  const read = Array.from({ length: 3_000 }, (_, at) => ({ ...entry, sourceId: `m${at}` }))
  await saveEntries(db, 'ada', read)
  const refs = read.slice(0, 10)
  const limit = { stage: 'rulesChars', limit: 10 } as const
  const stepsOf = async (run: (db: Db) => Promise<unknown>) => {
    const steps = (await plansOf(db, run)).filter((step) => step.includes('dreaming_evidence'))
    expect(steps.length).toBeGreaterThan(0)
    for (const step of steps) expect(step).not.toMatch(/^SCAN|Seq Scan/)
    return steps.join('\n')
  }

  expect(await stepsOf((db) => sumPending(db, 'ada', 'rulesChars'))).toContain(pendingIndex)
  expect(await stepsOf((db) => listPending(db, 'ada', limit))).toContain(pendingIndex)
  // The key has three columns.
  const found = await plansOf(db, (db) => findEntries(db, 'ada', refs))
  expect(found.join('\n')).toMatch(/source_kind ?= ?\S+ and \(?source_id ?= ?/i)
})

const pendingIndex = 'dreaming_evidence_pending'
