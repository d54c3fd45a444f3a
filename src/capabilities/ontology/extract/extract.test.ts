import { expect } from 'vitest'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { onEachEngine, ontologyKit } from '../ontology.fixture.ts'
import { listProposals } from '../store/proposals.ts'
import { consolidate } from './consolidate.ts'
import { extract, proposeFrom } from './extract.ts'
import { consolidateBody, extractBody } from './schemas.ts'
import * as textReader from './threads/extract-worker.ts'

const ada = callerFor('ada')
const { signal } = new AbortController()

/** A saved memory and its extraction. */
async function readMemory(
  { needs, remember }: ReturnType<typeof ontologyKit>,
  content: string,
  more: object = {},
) {
  const id = await remember(content)
  const run = (input: object = more) =>
    extract({ ...needs, textReader }, ada, {
      ...extractBody.parse({ from: `memory:${id}`, ...input }),
      signal,
    })
  return { id, run, first: await run() }
}

onEachEngine('a dry run proposes with exact quotes and stores nothing', async (db) => {
  const kit = ontologyKit(db)
  const { id, first } = await readMemory(kit, 'Heron Gateway uses PostgreSQL. It rains.')

  expect(first).toMatchObject({ count: 1, writtenCount: 0, dryRun: true, items: [] })
  expect(first.proposals[0]).toMatchObject({
    operation: 'create_link',
    confidence: 0.58,
    evidence: [{ source_kind: 'memory', source_id: id, quote: 'Heron Gateway uses PostgreSQL.' }],
  })
  expect(await listProposals(db, 'ada', { limit: 10, offset: 0 })).toEqual([])
})

onEachEngine(
  'the service proposes what a memory states, and nothing of another agent',
  async (db) => {
    const { service, remember, needs } = ontologyKit(db)
    const id = await remember('Heron Gateway uses PostgreSQL.')
    const ref = { kind: 'memory', id } as const

    const read = await proposeFrom({ ...needs, textReader }, 'ada', ref)
    expect(read).toMatchObject([
      {
        operation: 'create_link',
        evidence: [{ source_id: id, quote: 'Heron Gateway uses PostgreSQL.' }],
      },
    ])
    await expect(service.proposeFrom(ref, 'bob')).rejects.toMatchObject({ code: 'not_found' })
    expect(await listProposals(db, 'ada', { limit: 10, offset: 0 })).toEqual([])
  },
)

onEachEngine('proposals are written once', async (db) => {
  const kit = ontologyKit(db)
  const { run } = await readMemory(kit, 'Heron Gateway must rotate credentials weekly.')

  expect(await run({ write_proposals: true })).toMatchObject({ writtenCount: 1, dryRun: false })
  const again = await run({ write_proposals: true })
  expect(again).toMatchObject({ writtenCount: 0, warnings: ['1 proposals are pending already.'] })
  const listed = await consolidate(kit.needs, ada, { ...consolidateBody.parse({}), signal })
  expect(listed).toMatchObject({ sourceProposalCount: 1, consolidationMode: 'noop', proposals: [] })
})

onEachEngine('fenced JSON adds proposals and assertions, and nothing else', async (db) => {
  const kit = ontologyKit(db)
  await kit.apply([['create_entity', { name: 'Heron Gateway', entity_type: 'project' }]])
  const block = {
    entities: [{ name: 'Nimbus Store', entity_id: 'x', force: true }],
    proposals: [{ operation: 'archive_entity', payload: { name: 'Heron Gateway' } }],
    assertions: [{ entity: 'Heron Gateway', content: 'it is fast' }, { entity: 'Unknown Thing' }],
    questions: ['Who owns it?'],
  }
  const text = `Notes\n\`\`\`json\n${JSON.stringify(block)}\n\`\`\``
  const { first } = await readMemory(kit, text, { write_assertions: true })

  expect(first.proposals.map(({ operation, payload }) => [operation, payload])).toEqual([
    ['create_entity', { name: 'Nimbus Store' }],
  ])
  expect(first.assertionItems).toMatchObject([{ entity: 'Heron Gateway', content: 'it is fast' }])
  expect(first.questions).toEqual(['Who owns it?'])
  expect(first.warnings).toHaveLength(2)
})

onEachEngine(
  'each entity of a payload is proposed once, with a type that is accepted',
  async (db) => {
    const kit = ontologyKit(db)
    const entities = [
      {
        source: 'Heron Gateway',
        relationship: 'uses',
        target: 'Nimbus Store',
        targetType: 'service',
      },
      {
        source: 'Maud Jensen',
        sourceType: 'Person',
        relationship: 'owns',
        target: 'heron gateway',
      },
      {
        source: 'Heron Gateway',
        sourceType: 'system',
        relationship: 'owns',
        target: 'Nimbus Store',
      },
    ]
    const evidence = { structured: { entities } }
    const id = await kit.remember('notes of the gateway', { evidence })
    const input = { ...extractBody.parse({ from: `memory:${id}` }), signal }
    const { proposals } = await extract({ ...kit.needs, textReader }, ada, input)

    const created = proposals.filter(({ operation }) => operation === 'create_entity')
    expect(created.map(({ payload }) => [payload['name'], payload['entity_type']])).toEqual([
      ['Heron Gateway', 'system'],
      ['Nimbus Store', undefined],
      ['Maud Jensen', 'person'],
    ])
  },
)

onEachEngine('a structured payload becomes proposals that apply', async (db) => {
  const kit = ontologyKit(db)
  const structured = {
    entities: [{ source: 'Heron Gateway', relationship: 'depends on', target: 'Nimbus Store' }],
    aspects: [
      {
        entityName: 'Heron Gateway',
        aspect: 'runtime',
        attributes: [{ claimKey: 'language', content: 'Rust', importance: 0.9 }],
      },
    ],
  }
  const id = await kit.remember('notes of the gateway', { evidence: { structured } })
  const input = { ...extractBody.parse({ from: `memory:${id}` }), signal }
  const { proposals } = await extract({ ...kit.needs, textReader }, ada, input)

  expect(proposals.map(({ operation }) => operation)).toEqual([
    'create_entity',
    'create_entity',
    'create_link',
    'add_claim_value',
  ])
  const { ok } = await kit.apply(
    proposals.map(({ operation, payload, evidence }) => [
      operation,
      payload,
      { evidence: evidence as never },
    ]),
    { citations: 'exact-quote' },
  )
  expect(ok).toBe(true)
})

onEachEngine('unknown and foreign sources are refused alike', async (db) => {
  const kit = ontologyKit(db)
  const { id } = await readMemory(kit, 'Heron Gateway uses PostgreSQL.')
  const run = (agentId: string, from: string) =>
    extract({ ...kit.needs, textReader }, callerFor(agentId), {
      ...extractBody.parse({ from }),
      signal,
    })

  await expect(run('bob', `memory:${id}`)).rejects.toThrow('source not found')
  await expect(run('ada', 'memory:none')).rejects.toThrow('source not found')
  expect(extractBody.safeParse({ from: 'file:/etc/passwd' }).success).toBe(false)
})
