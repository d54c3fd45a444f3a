import { expect, test } from 'vitest'
import { startSharedService } from '../support/shared-service.ts'

const { ask } = await startSharedService('linker')
const agent = 'linker'
const rows = [
  'The mooring fee of Dunlin Pier is ninety crowns.',
  'Dunlin Pier was painted in the spring.',
  'The mooring fee of Curlew Basin is forty crowns.',
  'Curlew Basin was dredged last year.',
]

async function post(path: string, body: object) {
  const reply = await ask(`POST ${path}`, { body, agent })
  expect([path, reply.status < 300, reply.body['error']]).toEqual([path, true, undefined])
  return reply.body
}

const apply = (operation: string, payload: object) =>
  post('/api/ontology/operations/apply', { operation, payload })

const recall = async (query: string) => {
  const { results } = await post('/api/memory/recall', { query, limit: 3, explain: true })
  return results as { content: string; explain?: { stages: { name: string; reason?: string }[] } }[]
}

test('a question by an alias, or over a link, finds what its entity is said to have', async () => {
  for (const content of rows) await post('/api/memory/remember', { content })
  const [before] = await recall('What is the mooring fee of the Gull House?')
  await apply('create_entity', { name: 'Dunlin Pier' })
  const { result } = await apply('create_entity', { name: 'Curlew Basin' })
  const { entityId } = result as { entityId: string }
  await post(`/api/ontology/entities/${entityId}/aliases`, { alias: 'the Gull House' })
  await apply('create_link', {
    source_entity: 'Dunlin Pier',
    target_entity: 'Curlew Basin',
    link_type: 'owns',
    strength: 1,
  })
  await expect.poll(async () => (await recall('mooring fee')).length).toBeGreaterThan(1)

  const [byAlias] = await recall('What is the mooring fee of the Gull House?')
  expect(byAlias?.content).toBe(rows[2])
  expect(byAlias?.explain?.stages).toContainEqual(
    expect.objectContaining({ name: 'reading', reason: '"the gull house" is Curlew Basin' }),
  )
  expect(before?.explain?.stages ?? []).not.toContainEqual(
    expect.objectContaining({ name: 'reading' }),
  )

  const overLink = await recall('What is the mooring fee of the harbour that Dunlin Pier owns?')
  expect(overLink.map(({ content }) => content)).toContain(rows[2])
  // A direct question keeps its answer.
  expect((await recall('What is the mooring fee of Dunlin Pier?'))[0]?.content).toBe(rows[0])
})
