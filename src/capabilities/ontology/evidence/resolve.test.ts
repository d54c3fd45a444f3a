import { expect } from 'vitest'
import { onEachEngine, ontologyKit } from '../ontology.fixture.ts'
import { createCitationReader } from './resolve.ts'

onEachEngine('a citation is read with its source and the words around its quote', async (db) => {
  const { needs, apply, remember } = ontologyKit(db)
  const lead = 'The harbour is old. '.repeat(100)
  const id = await remember(`${lead}Atlas uses vim. ${lead}`)
  const { items } = await apply([['create_entity', { name: 'Atlas' }, { rationale: 'Asked for.' }]])
  const proposalId = String(items[0]?.proposalId)
  const cite = (sourceKind: string, sourceId: string, quote = '') => ({
    sourceKind,
    sourceId,
    quote,
    sourceTime: '2026-01-01T00:00:00.000Z',
    proposalId,
  })
  const read = async (citation: ReturnType<typeof cite>, agentId = 'ada') =>
    (await createCitationReader(needs, agentId, [citation]))(citation)

  const quoted = await read(cite('memory', id, 'Atlas uses vim.'))
  expect(quoted).toMatchObject({ kind: 'memory', found: true, sourceId: id, proposalId })
  expect(quoted.reference).toEqual({
    source_kind: 'memory',
    source_id: id,
    quote: 'Atlas uses vim.',
  })
  expect(quoted.excerpt).toContain('Atlas uses vim.')
  expect(quoted.excerpt.length).toBeLessThanOrEqual(1_200)
  expect(await read(cite('ontology_proposal', proposalId))).toMatchObject({
    kind: 'ontology_proposal',
    found: true,
    excerpt: 'Asked for.',
  })
  const foreign = await read(cite('memory', id), 'bob')
  expect(foreign).toMatchObject({ kind: 'unresolved', found: false, excerpt: '', sourceId: id })
})
