import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createAuthenticate } from '../auth/authenticate.ts'
import { createRateLimits } from '../auth/rate-buckets.ts'
import { Refusal } from '../errors/refusal.ts'
import { createLog } from '../log/log.ts'
import { fixedHost } from '../testing/fixed-host.ts'
import { serve } from '../testing/serve.ts'
import { openaiError } from './error-shape.ts'
import { type Route, route } from './route.ts'
import { echo, post, thing } from './routes.fixture.ts'
import { createServer } from './server.ts'

const chat = route({
  name: 'test.chat',
  method: 'POST',
  path: '/v1/chat',
  permission: 'recall',
  errorShape: 'openai',
  bodyLimit: 100,
  body: z.object({ model: z.string(), n: z.number().max(1).optional() }),
  handle: async ({ body }) => body,
})
const failing = (error: Error, path = '/v1/fail') =>
  route({
    name: 'test.fail',
    method: 'GET',
    path,
    permission: 'recall',
    errorShape: 'openai',
    handle: () => Promise.reject(error),
  })

async function readError(reply: Response) {
  const body: unknown = await reply.json()
  return { status: reply.status, ...openaiError.parse(body).error }
}

test.each([
  ['{"n": 2, "model": "a"}', 400, 'invalid_request_error', 'invalid_request', 'n'],
  ['{"n": 1}', 400, 'invalid_request_error', 'invalid_request', 'model'],
  ['{', 400, 'invalid_request_error', 'invalid_json', null],
  [`{"model": "${'x'.repeat(100)}"}`, 413, 'invalid_request_error', 'body_too_large', null],
])('a body is refused in the shape of OpenAI: %s', async (body, status, type, code, param) => {
  const url = await serve([chat])

  expect(await readError(await post(`${url}/v1/chat`, body))).toMatchObject({
    status,
    type,
    code,
    param,
  })
})

test.each([
  ['GET', '/v1/nowhere', 404, 'not_found_error', 'not_found'],
  ['GET', '/v1', 404, 'not_found_error', 'not_found'],
  ['GET', '/%76%31/nowhere', 404, 'not_found_error', 'not_found'],
  ['GET', '/v1/chat', 405, 'invalid_request_error', 'method_not_allowed'],
  ['GET', '/v1/%', 400, 'invalid_request_error', 'invalid_path'],
])('%s %s is refused before it has a route', async (method, path, status, type, code) => {
  const url = await serve([chat])

  expect(await readError(await fetch(url + path, { method }))).toMatchObject({ status, type, code })
})

test('a foreign host, another type, no credential and too many calls have the shape', async () => {
  const host = fixedHost()
  const secret = Buffer.alloc(32)
  const url = await serve([chat])
  const closed = await serve([chat], {
    authenticate: createAuthenticate({ mode: 'team', secret, host }),
  })
  const countCall = createRateLimits(host, { admin: { max: 0 } })
  const limited = await serve([{ ...chat, limit: 'admin' } as Route], { countCall })
  const foreign = httpRequest(`${url}/v1/chat`, { headers: { host: 'pages.example' } }).end()
  const [refused] = await once(foreign, 'response')

  expect(openaiError.parse(await json(refused)).error.type).toBe('permission_error')
  expect(await readError(await post(`${url}/v1/chat`, '{}', 'text/plain'))).toMatchObject({
    status: 415,
    type: 'invalid_request_error',
  })
  const unknown = await post(`${closed}/v1/chat`, '{}')
  expect(unknown.headers.get('www-authenticate')).toBe('Bearer')
  expect(await readError(unknown)).toMatchObject({ status: 401, type: 'authentication_error' })
  const many = await post(`${limited}/v1/chat`, '{}')
  expect(many.headers.has('retry-after')).toBe(true)
  expect(await readError(many)).toMatchObject({ status: 429, type: 'rate_limit_error' })
})

test('a server that starts or stops refuses in the shape', async () => {
  const server = await createServer({ host: fixedHost(), log: createLog('silent') })
  onTestFinished(() => server.close())
  const url = await server.listen({ host: '127.0.0.1', port: 0 })

  expect(await readError(await post(`${url}/v1/chat`, '{}'))).toMatchObject({
    status: 503,
    type: 'api_error',
    code: 'starting',
  })
})

test('a fault has the shape and says nothing of itself', async () => {
  const url = await serve([failing(new Error('the words inside'))])

  expect(await readError(await fetch(`${url}/v1/fail`))).toEqual({
    status: 500,
    message: 'Internal error',
    type: 'api_error',
    param: null,
    code: 'internal',
  })
})

test.each([true, false])('a refusal may advise on a retry: %s', async (shouldRetry) => {
  const details = { shouldRetry, budgets: ['daily'] }
  const refusal = new Refusal('too_many', 'budget_exhausted', 'The budget is used up.', details)
  const url = await serve([
    failing(refusal),
    { ...failing(refusal, '/own'), errorShape: 'service' },
  ])
  const reply = await fetch(`${url}/v1/fail`)

  expect(reply.headers.get('x-should-retry')).toBe(String(shouldRetry))
  expect(await readError(reply)).toMatchObject({ details: { budgets: ['daily'] } })
  const own = await fetch(`${url}/own`)
  expect(own.headers.get('x-should-retry')).toBe(String(shouldRetry))
  expect(await own.json()).toEqual({
    error: 'The budget is used up.',
    code: 'budget_exhausted',
    budgets: ['daily'],
  })
})

test('other paths keep the shape of the service', async () => {
  const url = await serve([echo, thing, failing(new Refusal('gone', 'gone', 'No.'), '/elsewhere')])

  for (const path of ['/nowhere', '/v1nowhere', '/x/v1/y'])
    expect(await (await fetch(url + path)).json()).toEqual({
      error: 'Not found',
      code: 'not_found',
    })
  expect((await fetch(`${url}/things/1`)).headers.has('x-should-retry')).toBe(false)
  expect(await readError(await fetch(`${url}/elsewhere`))).toMatchObject({ status: 410 })
})

const model = route({
  name: 'test.model',
  method: 'GET',
  path: '/v1/models/*id',
  permission: 'recall',
  errorShape: 'openai',
  params: z.object({ id: z.string().min(1) }),
  reply: z.object({ id: z.string() }),
  handle: async ({ params }) => params,
})
const models = route({
  name: 'test.models',
  method: 'GET',
  path: '/v1/models',
  permission: 'recall',
  handle: async () => ({ list: true }),
})

test.each([
  ['gpt', 'gpt'],
  ['ollama/llama3:8b', 'ollama/llama3:8b'],
  ['a%2Fb/c%20d?x=1', 'a/b/c d'],
  ['a//b/', 'a//b/'],
])('a wildcard takes the rest of the path: %s', async (path, id) => {
  const url = await serve([models, model])

  expect(await (await fetch(`${url}/v1/models/${path}`)).json()).toEqual({ id })
  expect(await (await fetch(`${url}/v1/models`)).json()).toEqual({ list: true })
})

test('a wildcard is a named parameter of the document, with its error shape', async () => {
  const url = await serve([models, model])
  const { paths, components } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, { get: { parameters: unknown; responses: Record<string, unknown> } }>
    components: { schemas: object }
  }
  const described = paths['/v1/models/{id}']?.get

  expect(described?.parameters).toMatchObject([{ in: 'path', name: 'id', required: true }])
  expect(JSON.stringify(described?.responses['404'])).toContain('#/components/schemas/OpenaiError')
  expect(components.schemas).toHaveProperty('OpenaiError')
  const wrong = await fetch(`${url}/v1/models/gpt`, { method: 'PUT' })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})
