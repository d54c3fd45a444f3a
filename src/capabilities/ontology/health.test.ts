import { expect } from 'vitest'
import type { Events } from '../../kernel/events/events.ts'
import { createKnowledgeHealth, graphDomain } from './health.ts'
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
    const { apply, remember, knowledge, needs, service } = ontologyKit(db)
    const { health, schedule } = createKnowledgeHealth(needs)
    const { check } = health
    const nothing = {
      entities: 0,
      claims: 0,
      links: 0,
      withheld: 0,
      claimsWithoutCitation: 0,
      orphanedLinks: 0,
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
    // A request counts nothing; the timer does.
    expect(await check()).toMatchObject({ details: nothing })
    await schedule.run()
    const counts = { entities: 2, claims: 2, links: 1, withheld: 0, pendingProposals: 1 }
    expect(await check()).toEqual({
      status: 'ok',
      reasons: [],
      details: { ...counts, claimsWithoutCitation: 0, orphanedLinks: 0 },
    })

    const change = { agentId: 'ada', kind: 'memory', ids: [id] } as const
    await knowledge.evidenceDependant.forgotten(db, change)
    expect(await createKnowledgeHealth(needs).health.check()).toMatchObject({
      status: 'ok',
      details: { claims: 1, withheld: 1, claimsWithoutCitation: 0 },
    })

    const all = db.withTables<{ knowledgeCitations: { subjectType: string } }>()
    await all.deleteFrom('knowledgeCitations').where('subjectType', '=', 'claim').execute()
    // Slices of one row count the same.
    const totals = { ...counts, claims: 1, withheld: 1, claimsWithoutCitation: 1 }
    for (const sliceRows of [1, 2, 5_000])
      expect({ pendingProposals: 1, ...(await knowledge.countTotals(db, sliceRows)) }).toEqual(
        totals,
      )
    expect(await createKnowledgeHealth(needs).health.check()).toMatchObject({
      status: 'degraded',
      reasons: ['1 claim without citation: run `reverie ontology hygiene`'],
      details: { claimsWithoutCitation: 1 },
    })
  },
)

onEachEngine('a long first count delays no health check', async (db) => {
  const { needs, host } = ontologyKit(db)
  const { promise: counted, resolve } = Promise.withResolvers<number>()
  const knowledge = { ...needs.knowledge, countOrphanedLinks: () => counted }
  const { health } = createKnowledgeHealth({ ...needs, knowledge })

  const first = health.check()
  while (host.sleeps().length === 0) await Promise.resolve()
  host.advance(50)
  expect(await first).toEqual({
    status: 'unknown',
    reasons: ['the graph is being counted for the first time'],
    details: {},
  })
  resolve(0)
  expect(await health.check()).toMatchObject({ status: 'ok', details: { entities: 0 } })
})

onEachEngine(
  'the graph loses score when it stays empty, and when links are damaged',
  async (db) => {
    const { apply, remember, needs } = ontologyKit(db)
    const read = async (isFilled = true) => {
      const options = { ...needs, isFilled: () => isFilled }
      const { fields, findings } = await graphDomain(
        options,
        createKnowledgeHealth(needs).measurement,
      ).check()
      return { fields, codes: findings.map(({ code, penalty }) => `${code} ${penalty}`) }
    }
    for (let at = 0; at < 9; at++) await remember(`The fern has ${at} leaves.`)
    expect(await read()).toMatchObject({ fields: { extractionWritesEnabled: true }, codes: [] })
    const id = await remember('The kiln uses vim.')
    expect((await read()).codes).toEqual(['no_entities 0.4'])
    expect((await read(false)).codes).toEqual([])

    await apply([value('vim', { evidence: [{ memory_id: id, quote: 'The kiln uses vim' }] })])
    expect(await read()).toMatchObject({ fields: { entityCount: 1, orphanedLinks: 0 }, codes: [] })
    const all = db.withTables<{ memories: { id: string } }>()
    await all.deleteFrom('memories').where('id', '=', id).execute()
    expect(await read()).toMatchObject({ codes: ['orphaned_links 0.3'] })
    await db.withTables<{ knowledgeCitations: object }>().deleteFrom('knowledgeCitations').execute()
    expect((await read()).codes).toContain('claims_without_citation 0.3')
  },
)

onEachEngine(
  'the first change of an empty graph is counted at once, later ones are not',
  async (db) => {
    const { apply, emitted, needs } = ontologyKit(db)
    const listeners = new Map<string, () => unknown>()
    const on: Events['on'] = ({ name }, listener) => {
      listeners.set(name, listener as () => unknown)
    }
    const { health } = createKnowledgeHealth({ ...needs, events: { ...needs.events, on } })
    const change = async (name: string) => {
      await apply([['create_entity', { name, entity_type: 'project' }]])
      await listeners.get(emitted.at(-1) ?? '')?.()
      return (await health.check()).details
    }
    expect(await health.check()).toMatchObject({ details: { entities: 0 } })
    expect(await change('Atlas')).toMatchObject({ entities: 1 })
    expect(await change('Orion')).toMatchObject({ entities: 1 })
  },
)
