import { expect } from 'vitest'
import { dreamingKit, onEachEngine } from './dreaming.fixture.ts'
import { enqueueAttention } from './enqueue-attention.ts'
import { listPendingAttention } from './store/attention.ts'

const slot = { entity: 'Maud Reyes', entity_type: 'person', aspect: 'location' }
const home = { ...slot, claim_key: 'lives_in' }

onEachEngine('two active values of a slot of one are contested until one ends', async (db) => {
  const { remember, dream, apply, values } = dreamingKit(db)
  await remember('Maud Reyes lives in Lisbon.')
  await dream()
  await apply([['add_claim_value', { ...home, value: 'Porto' }]])
  await apply([['add_claim_value', { ...slot, claim_key: 'visited', value: 'Faro' }]])
  await apply([['add_claim_value', { ...slot, claim_key: 'visited', value: 'Braga' }]])
  expect(await values('Maud Reyes')).toHaveLength(2)
  await dream()
  const pending = () => listPendingAttention(db, 'ada', 10)
  expect(await pending()).toMatchObject([
    { kind: 'contested_claim', subjectRef: expect.stringContaining('attribute:'), priority: 70 },
  ])
  await apply([['supersede_claim_value', { ...home, old_value: 'Lisbon' }]])
  await dream()
  expect(await pending()).toEqual([])
})

onEachEngine('a review ends with its claim or its date, not with a pass', async (db) => {
  const { dream, apply, host, needs } = dreamingKit(db)
  const before = new Date(host.now().getTime() - 1_000).toISOString()
  const port = { ...slot, claim_key: 'port', value: '8080', review_after: before }
  await apply([['add_claim_value', port]])
  const enqueue = (id: string, reason: string) =>
    enqueueAttention(needs, {
      agentId: 'ada',
      kind: 'hygiene',
      subjectRef: `source:${id}`,
      details: { reason },
      priority: 40,
    })
  await enqueue('notes', 'import-completed')
  await enqueue('old', 'import-source-removed')
  await enqueue('other', 'unknown')
  const kinds = async () =>
    (await listPendingAttention(db, 'ada', 10)).map(({ kind, subjectRef }) =>
      kind === 'review_due' ? kind : subjectRef,
    )
  await dream()
  await dream()
  expect(await kinds()).toEqual(['review_due', 'source:other'])
  await apply([['supersede_claim_value', { ...slot, claim_key: 'port', old_value: '8080' }]])
  await dream()
  expect(await kinds()).not.toContain('review_due')
})
