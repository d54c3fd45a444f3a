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

  test('a client that leaves closes the connection to the provider', async () => {
    upstream.fail('stall')
    const stream = await client.chat.completions.create({ ...explicit, stream: true })
    for await (const chunk of stream) {
      expect(chunk.object).toBe('chat.completion.chunk')
      break
    }

    await expect.poll(() => upstream.active(), { timeout: 2_000 }).toBe(0)
  })

  test('more streams than allowed are refused with a typed error', async () => {
    upstream.fail('stall')
    const controllers = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const stream = await client.chat.completions.create({ ...explicit, stream: true })
        return stream.controller
      }),
    )
    const impatient = clientWith(token).withOptions({ maxRetries: 0 })
    const error = await errorOf(impatient.chat.completions.create({ ...explicit, stream: true }))
    for (const controller of controllers) controller.abort()

    expect(error).toBeInstanceOf(RateLimitError)
    expect(error.headers?.get('retry-after')).toBe('1')
    await expect.poll(() => upstream.active(), { timeout: 2_000 }).toBe(0)
  })
})

test('no file, table or log contains the key, a prompt or a reply', async () => {
  await client.chat.completions.create(question)
  const marks = [key, 'where does ann live', 'hello from the model']
  const logged = listMarks(service.output(), marks)
  await service.restart()

  expect(logged).toEqual([])
  expect(await listPlacesHolding(service, marks)).toEqual([])
})
