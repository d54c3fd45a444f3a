import { afterAll, expect, test } from 'vitest'
import { startInferenceService } from '../support/inference-service.ts'

const { ask, first, stop } = await startInferenceService()
afterAll(() => stop())

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await ask(`POST ${path}`, body)
  expect([path, reply.status, reply.body['error']]).toEqual([path, expect.any(Number), undefined])
  return reply.body
}

test('an aggregate over claims names the cited memories as its sources, and follows them', async () => {
  const { id } = await post('/api/memory/remember', {
    content: 'Oil its hinges in May, said Ines.',
  })
  const slot = { entity: 'Gull Sluice', aspect: 'upkeep', claim_key: 'hinges' }
  const operation = {
    operation: 'set_claim_value',
    payload: { ...slot, value: 'the gate hinges of Gull Sluice take whale oil' },
    evidence: [{ memory_id: id }],
  }
  const { result } = await post('/api/ontology/operations/apply', operation)
  const derivedId = Object(result).attributeId
  const query = 'Which oil do the gate hinges of Gull Sluice take?'
  const recall = (more: object = {}) => post('/api/memory/recall', { query, limit: 5, ...more })
  const ids = (reply: object) => Object(reply).results.map((row: { id: string }) => row.id)
  await expect
    .poll(async () => ids(await recall()))
    .toContainEqual(expect.stringMatching(`${derivedId}|${id}`))

  const { aggregate, results } = await recall({ aggregate: true, save_aggregate: true })

  const { sourceMemoryIds, savedMemoryId } = Object(aggregate)
  expect(sourceMemoryIds).toEqual([id])
  expect(ids({ results })).toEqual([savedMemoryId])
  expect(JSON.stringify(first.requests.at(-1)?.body)).not.toContain('constructed:')

  const { status } = await ask(`DELETE /api/memory/${id}?reason=wrong`)
  expect(status).toBe(200)
  expect((await ask(`GET /api/memory/${savedMemoryId}`)).status).toBe(404)
  expect((await ask(`GET /api/memory/${derivedId}`)).status).toBe(404)
})
