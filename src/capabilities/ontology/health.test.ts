import { expect } from 'vitest'
import { knowledgeHealth } from './health.ts'
import { type Operation, onEachEngine, ontologyKit } from './ontology.fixture.ts'
import { createProposals } from './proposals/create-proposals.ts'

const value = (value: string, more = {}): Operation => [
  'set_claim_value',
  { entity: 'Atlas', aspect: 'tools', claim_key: value, value },
  more,
]

onEachEngine(
  'health counts the graph, pending proposals and claims without citation',
  async (db) => {
    const { apply, remember, knowledge, needs, host, service } = ontologyKit(db)
    const { check } = knowledgeHealth(needs)
    const nothing = {
      entities: 0,
      claims: 0,
      links: 0,
      withheld: 0,
      claimsWithoutCitation: 0,
      pendingProposals: 0,
    }
    expect(await check()).toEqual({ status: 'ok', reasons: [], details: nothing })

    const id = await remember('Atlas uses vim.')
    const { ok } = await apply([
      ['create_entity', { name: 'Atlas', entity_type: 'project' }],
      ['create_entity', { name: 'Orion', entity_type: 'project' }],
      ['create_link', { source_entity: 'Atlas', target_entity: 'Orion', link_type: 'uses' }],
      value('nano'),
      value('vim', { evidence: [{ memory_id: id, quote: 'Atlas uses vim' }] }),
    ])
    expect(ok).toBe(true)
    const input = { operation: 'create_entity', payload: { name: 'Gemini' } }
    const requests = [service.parseOperation(input)]
    await createProposals(needs, { agentId: 'bob', createdBy: 'bob', requests })
    // Within a minute the counts stay.
    expect(await check()).toMatchObject({ details: nothing })
    host.advance(60_000)
    const counts = { entities: 2, claims: 2, links: 1, withheld: 0, pendingProposals: 1 }
    expect(await check()).toEqual({
      status: 'ok',
      reasons: [],
      details: { ...counts, claimsWithoutCitation: 0 },
    })

    const change = { agentId: 'ada', kind: 'memory', ids: [id] } as const
    await knowledge.evidenceDependant.forgotten(db, change)
    expect(await knowledgeHealth(needs).check()).toMatchObject({
      status: 'ok',
      details: { claims: 1, withheld: 1, claimsWithoutCitation: 0 },
    })

    const all = db.withTables<{ knowledgeCitations: { subjectType: string } }>()
    await all.deleteFrom('knowledgeCitations').where('subjectType', '=', 'claim').execute()
    expect(await knowledgeHealth(needs).check()).toMatchObject({
      status: 'degraded',
      reasons: ['1 claims have no citation: run `reverie ontology hygiene`'],
      details: { claimsWithoutCitation: 1 },
    })
  },
)
