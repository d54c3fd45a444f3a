import { APIError, RateLimitError } from 'openai'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { collect, errorOf, question, startGatewayService } from '../support/gateway-service.ts'
import { listMarks, listPlacesHolding } from '../support/list-places-holding.ts'

const gateway = await startGatewayService()
afterAll(() => gateway.stop())
const { client, clientWith, key, service, token, upstream } = gateway
afterEach(() => {
  upstream.fail()
  upstream.reply({})
})

const countActive = async () => {
  const { body } = await service.ask('GET /api/inference/status', { role: 'admin' })
  return Object(body['concurrency']).active.total
}

describe('a failure', () => {
  const explicit = { ...question, model: 'main/chat' }

  test('refuses a call that no target answers, and the client does not try again', async () => {
    upstream.fail('repeated key')
    const before = upstream.requests.length
    const error = await errorOf(client.chat.completions.create({ ...explicit }))

    expect(error.status).toBe(502)
    expect(upstream.requests.length).toBe(before + 1)
    expect(JSON.stringify(error.error)).not.toContain(key)
    expect(error.error).toMatchObject({ type: 'api_error', code: 'execution_failed' })
  })

  test('a stream that breaks throws at the client', async () => {
    upstream.reply({ text: 'One two three four five six seven eight.' })
    upstream.fail('cut')
    const stream = await client.chat.completions.create({ ...explicit, stream: true })

    await expect(collect(stream)).rejects.toBeInstanceOf(APIError)
  })

  test('a client that leaves closes the connection to the provider and frees its slot', async () => {
    upstream.fail('stall')
    const stream = await client.chat.completions.create({ ...explicit, stream: true })
    for await (const chunk of stream) {
      expect(chunk.object).toBe('chat.completion.chunk')
      break
    }

    await expect.poll(() => upstream.active(), { timeout: 1_000 }).toBe(0)
    await expect.poll(countActive, { timeout: 1_000 }).toBe(0)
  })

  test('a private request reaches no remote model, whatever names it', async () => {
    const before = upstream.requests.length
    const header = 'x-svc-explicit-target'
    for (const headers of [{}, { [header]: 'main/chat' }]) {
      const near = clientWith(token, { ...headers, 'x-svc-privacy-tier': 'local_only' })
      const error = await errorOf(near.chat.completions.create({ ...explicit }))
      expect(error).toMatchObject({ status: 502, code: 'no_candidates' })
    }
    expect(upstream.requests.length).toBe(before)
  })

  test('more streams than allowed are refused with a typed error', async () => {
    upstream.fail('stall')
    const controllers = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const stream = await client.chat.completions.create({ ...explicit, stream: true })
        return stream.controller
      }),
    )
    const clientWithoutRetries = clientWith(token).withOptions({ maxRetries: 0 })
    const error = await errorOf(
      clientWithoutRetries.chat.completions.create({ ...explicit, stream: true }),
    )
    for (const controller of controllers) controller.abort()

    expect(error).toBeInstanceOf(RateLimitError)
    expect(error.headers?.get('retry-after')).toBe('1')
    await expect.poll(() => upstream.active(), { timeout: 2_000 }).toBe(0)
  })
})

const reportOperations = [
  'GET /api/inference/status?refresh=1',
  'GET /api/inference/history?limit=500',
  'GET /api/inference/usage?by=target',
  'GET /api/inference/catalog',
  'GET /api/telemetry/events?limit=500',
  'GET /api/diagnostics',
  'GET /api/logs?limit=500',
  'GET /api/status',
  'GET /health/ready',
]

test('no file, table, log or report contains the key, a prompt or a reply', async () => {
  await client.chat.completions.create(question)
  const marks = [key, 'where does ann live', 'hello from the model']
  const logged = listMarks(service.output(), marks)
  const reports = await Promise.all(
    reportOperations.map(async (operation) => {
      const { status, body } = await service.ask(operation, { role: 'admin' })
      return [operation, status, listMarks(JSON.stringify(body), marks)]
    }),
  )
  await service.restart()

  expect(logged).toEqual([])
  expect(reports).toEqual(reportOperations.map((operation) => [operation, 200, []]))
  expect(await listPlacesHolding(service, marks)).toEqual([])
})
