import { expect, onTestFinished, test, vi } from 'vitest'
import { countVectors, listHolding } from '../support/inspect-database.ts'
import { makeFolder } from '../support/make-folder.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { type Service, startService } from '../support/start-service.ts'

const secret = 'umbrage'

test('what is purged with its agent is in no table, has no vector and is not exported', async () => {
  const workspace = await makeFolder()
  const config = { memory: { pipelineV2: { embeddingTracker: { pollMs: 100 } } } }
  const service = await startService({ workspace, engine: 'sqlite', config })
  onTestFinished(() => service.stop())
  await service.ask('POST /api/agents', { body: { name: 'eve' } })
  const stays = await remember(service, 'what stays', 'ada')
  const long = await remember(service, `${secret} `.repeat(500), 'eve')
  const gone = await remember(service, `the word is ${secret}`, 'eve')
  await tell(service, 'eve')
  await service.ask(`DELETE /api/memory/${gone}?reason=test`, { agent: 'eve' })
  expect(await exportOf(service, 'eve')).toContain(secret)

  const purging = 'DELETE /api/agents/eve?purge=true'
  expect(await service.ask(purging, { role: 'admin' })).toMatchObject({ status: 200 })

  for (const agent of ['ada', 'eve']) expect(await exportOf(service, agent)).not.toContain(secret)
  service.signal('SIGTERM')
  await service.ended
  expect(listHolding(workspace, secret)).toEqual([])
  expect([stays, long, gone].map((id) => countVectors(workspace, id))).toEqual([1, 0, 0])
})

/** Into the ledger of a session, the counters and the cache of the projection. */
async function tell(service: Service, agent: string): Promise<void> {
  const body = { query: secret, sessionKey: 'one' }
  const { results } = (await service.ask('POST /api/memory/recall', { agent, body })).body
  expect(JSON.stringify(results)).toContain(secret)
  const projected = () => service.ask('GET /api/embeddings/projection', { agent })
  await expect.poll(async () => (await projected()).body['status']).toBe('cached')
}

async function remember(service: Service, content: string, agent: string): Promise<string> {
  const { body } = await service.ask('POST /api/memory/remember', { body: { content }, agent })
  const reading = `GET /api/memory/${body['id']}`
  const embedded = { embedding_model: 'static-en-256' }
  await vi.waitFor(
    async () => expect((await service.ask(reading, { agent })).body).toMatchObject(embedded),
    { timeout: 30_000 },
  )
  return String(body['id'])
}

async function exportOf(service: Service, agent: string): Promise<string> {
  const { run } = reverieOf(service, 'admin', agent)
  return (await run(['export', '-'])).stdout
}
