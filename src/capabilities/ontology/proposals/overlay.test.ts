import { expect } from 'vitest'
import { onEachEngine, ontologyKit } from '../ontology.fixture.ts'
import { createProposals } from './create-proposals.ts'

onEachEngine('the overlay names the target of a pending proposal', async (db) => {
  const { ontology, service, needs, apply } = ontologyKit(db)
  const { items } = await apply([['create_entity', { name: 'Harbour Crane' }]])
  const id = String(items[0]?.result?.['entityId'])
  const propose = (payload: Readonly<Record<string, string>>, agentId = 'ada') =>
    createProposals(needs, {
      agentId,
      createdBy: 'ada',
      requests: [service.parseOperation({ operation: 'add_claim_value', payload })],
    })
  await propose({ entity: 'HARBOUR crane', aspect: 'load', claim_key: 'a', value: 'x'.repeat(200) })
  await propose({ entity_id: id, aspect: 'load', claim_key: 'b', value: 'b' })
  await propose({ entity: 'Unknown Pier', aspect: 'load', claim_key: 'c', value: 'c' })
  await propose({ entity: 'Bob Pier', aspect: 'load', claim_key: 'd', value: 'd' }, 'bob')

  const { proposals = [], metadata } = await ontology.overlay.read(db, 'ada')
  const targets = proposals.map(({ targetEntityId, targetEntityName, preview }) => [
    targetEntityId,
    targetEntityName,
    preview?.length,
  ])
  expect(targets).toEqual([
    [null, 'Unknown Pier', 1],
    [id, 'Harbour Crane', 1],
    [id, 'Harbour Crane', 140],
  ])
  expect(metadata).toEqual({ proposals: { pending: 3, appliedRecent: 1, failedRecent: 0 } })
})
