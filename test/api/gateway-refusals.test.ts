import { AuthenticationError, BadRequestError, NotFoundError, PermissionDeniedError } from 'openai'
import { afterAll, describe, expect, test } from 'vitest'
import { errorOf, question, startGatewayService } from '../support/gateway-service.ts'

const gateway = await startGatewayService()
afterAll(() => gateway.stop())
const { client, clientWith, service, token } = gateway

describe('a request that is not accepted', () => {
  const refused: readonly (readonly [string, object, string, string | null])[] = [
    ['no messages', { messages: [] }, 'invalid_request', 'messages'],
    [
      'blank messages',
      { messages: [{ role: 'user', content: ' ' }] },
      'invalid_request',
      'messages',
    ],
    ['two choices', { n: 2 }, 'unsupported_parameter', 'n'],
    ['log probabilities', { logprobs: true }, 'unsupported_parameter', 'logprobs'],
    ['functions', { functions: [] }, 'unsupported_parameter', 'functions'],
    ['audio', { audio: {} }, 'unsupported_parameter', 'audio'],
    ['an unknown model', { model: 'none/such' }, 'unknown_model', 'model'],
    ['a model without a target', { model: 'gpt-4o' }, 'unknown_model', 'model'],
    ['a policy without a name', { model: 'policy:' }, 'invalid_request', 'model'],
    ['an unknown policy', { model: 'policy:none' }, 'unknown_model', 'model'],
    ['a stream that is no boolean', { stream: 'yes' }, 'invalid_request', 'stream'],
    ['a temperature that is no number', { temperature: 'hot' }, 'invalid_request', 'temperature'],
    [
      'an image by its address',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
          },
        ],
      },
      'unsupported_parameter',
      'messages.0.content.0.image_url.url',
    ],
    [
      'an unknown part',
      { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
      'unsupported_parameter',
      'messages.0.content.0',
    ],
    [
      'a result without a call',
      { messages: [{ role: 'tool', tool_call_id: 'none', content: 'text' }] },
      'invalid_request',
      'messages.0.tool_call_id',
    ],
  ]

  test.each(refused)('refuses %s', async (_, changes, code, param) => {
    const error = await errorOf(client.chat.completions.create({ ...question, ...changes }))

    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({ type: 'invalid_request_error', code, param })
  })

  test.each([
    ['none/such', 'The model none/such is unknown.'],
    ['policy:none', 'The policy none is unknown.'],
  ])('the refusal of %s names it, and the route that lists the names', async (model, message) => {
    const error = await errorOf(client.chat.completions.create({ ...question, model }))

    expect(error).toMatchObject({
      message: expect.stringContaining(`${message} GET /v1/models lists the names.`),
    })
  })

  test.each([
    ['x-svc-privacy-tier', 'secret'],
    ['x-svc-operation', 'none'],
    ['x-svc-task-class', 'a b'],
    ['x-svc-explicit-target', 'no-slash'],
    ['x-svc-explicit-target', Array.from({ length: 9 }, (_unused, at) => `a/${at}`).join(',')],
    ['x-svc-route-policy', 'x'.repeat(161)],
  ])('refuses the header %s: %s', async (name, value) => {
    const call = client.chat.completions.create(question, { headers: { [name]: value } })

    expect(await errorOf(call)).toMatchObject({ status: 400, param: name })
  })

  test.each([
    ['a prompt that is too long', 'x'.repeat(200_001)],
    ['a body that is too large', 'é'.repeat(300_000)],
  ])('refuses %s', async (_, content) => {
    const call = client.chat.completions.create({
      ...question,
      messages: [{ role: 'user', content }],
    })

    expect((await errorOf(call)).status).toBe(413)
  })

  test('refuses a caller without a credential', async () => {
    expect(await errorOf(clientWith('none').models.list())).toBeInstanceOf(AuthenticationError)
  })

  test('refuses a caller without the permission', async () => {
    const error = await errorOf(clientWith(service.tokenFor('operator')).models.list())

    expect(error).toBeInstanceOf(PermissionDeniedError)
  })

  test('an administrator may use the gateway, and a token of the gateway nothing else', async () => {
    const admin = clientWith(service.tokenFor('admin'))

    expect((await admin.models.list()).data.length).toBeGreaterThan(0)
    const headers = { authorization: `Bearer ${token}` }
    expect((await service.ask('GET /api/memories', { headers })).status).toBe(403)
  })

  test('refuses another agent than that of the token', async () => {
    const other = clientWith(token, { 'x-svc-agent-id': 'bob' })

    expect(await errorOf(other.models.list())).toBeInstanceOf(PermissionDeniedError)
  })

  test('an unknown path has an error of the same form', async () => {
    const error = await errorOf(client.post('/responses', { body: { input: 'Hello' } }))

    expect(error).toBeInstanceOf(NotFoundError)
    expect(error.message).toContain('/v1/chat/completions')
  })
})

describe('a request for embeddings that is not accepted', () => {
  test.each([
    ['another model', { model: 'text-embedding-3-small' }, 'unknown_model'],
    ['token arrays', { input: [1, 2, 3] }, 'invalid_request'],
    ['a blank text', { input: '' }, 'invalid_request'],
    ['too many texts', { input: Array.from({ length: 257 }, () => 'a') }, 'invalid_request'],
    ['other dimensions', { dimensions: 8 }, 'unsupported_parameter'],
  ])('refuses %s', async (_, changes, code) => {
    const call = client.embeddings.create({ model: 'svc:embedding', input: 'a text', ...changes })

    expect(await errorOf(call)).toMatchObject({ status: 400, code })
  })
})
