import { expect, test } from 'vitest'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { serve } from '../testing/serve.ts'
import { echo, post, routes } from './routes.fixture.ts'

test.each([
  ['', 200, { body: {} }],
  ['{}', 200, { body: {} }],
  ['{"word":"é","other":1}', 200, { body: { word: 'é' } }],
  [
    '{"word":"__proto__ and constructor.prototype"}',
    200,
    { body: { word: expect.stringContaining('__proto__') } },
  ],
  [
    '{"__proto__":{"count":7}}',
    400,
    { error: expect.stringContaining('__proto__'), code: 'invalid_key' },
  ],
  [
    '{"more":[{"\\u005f_proto__":7}]}',
    400,
    { error: expect.stringContaining('__proto__'), code: 'invalid_key' },
  ],
  [
    '{"constructor":{"prototype":{}}}',
    400,
    { error: expect.stringContaining('constructor.prototype') },
  ],
  ['{', 400, { error: 'Invalid JSON body', code: 'invalid_json' }],
  ['{"word":"one"}}', 400, { error: 'Invalid JSON body', code: 'invalid_json' }],
  ['[]', 400, { error: 'Invalid JSON body' }],
  ['null', 400, { error: 'Invalid JSON body' }],
  ['7', 400, { error: 'Invalid JSON body' }],
  ['{"word":7}', 400, { error: 'word is required', code: 'invalid_request' }],
  ['{"why":"because"}', 400, { error: 'because is no reason' }],
  ['{"count":"7"}', 400, { issues: [{ at: 'count' }] }],
])('the body %s returns %d', async (sent, status, expected) => {
  const url = await serve(routes)

  const reply = await post(`${url}/echo`, sent)

  expect(reply.status).toBe(status)
  expect(await reply.json()).toMatchObject(expected)
})

test.each([
  ['gzip', 415],
  ['br', 415],
  ['identity', 200],
])('a body with the encoding %s returns %d', async (encoding, status) => {
  const url = await serve(routes)
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding }

  const reply = await fetch(`${url}/echo`, { method: 'POST', headers, body: '{}' })

  expect(reply.status).toBe(status)
  if (status === 415) expect(await reply.json()).toMatchObject({ code: 'unsupported_encoding' })
})

test('prefixes schema errors with the name of the field', async () => {
  const url = await serve(routes)

  const { error } = (await (await post(`${url}/echo`, '{"count":"7"}')).json()) as { error: string }

  expect(error).toMatch(/^count: /)
})

test('an operation may define its error for invalid JSON, or accept it as empty', async () => {
  const url = await serve([
    { ...echo, path: '/strict', aliases: [], onInvalidBody: { error: 'Malformed JSON body' } },
    { ...echo, path: '/lenient', aliases: [], onInvalidBody: 'empty' },
  ])

  expect(await (await post(`${url}/strict`, '{')).json()).toMatchObject({
    error: 'Malformed JSON body',
  })
  expect(await (await post(`${url}/lenient`, '[')).json()).toMatchObject({ body: {} })
})

test('an operation that accepts invalid bodies refuses prototype keys', async () => {
  const lenient = { ...echo, path: '/lenient', aliases: [], onInvalidBody: 'empty' } as const
  const url = await serve([lenient])

  expect((await post(`${url}/lenient`, '{"__proto__":{}}')).status).toBe(400)
})

test('a DELETE body is optional', async () => {
  const url = await serve(routes)
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'DELETE', headers }

  expect(await (await fetch(`${url}/things/1`, { ...init, body: '{"word":"x"}' })).json()).toEqual({
    body: { word: 'x' },
  })
  expect(await (await fetch(`${url}/things/1`, init)).json()).toEqual({ body: {} })
  expect(await (await fetch(`${url}/things/1`, { method: 'DELETE' })).json()).toEqual({ body: {} })
})

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/json; charset=utf-8', 200],
])('a body of the type %s returns %d', async (type, status) => {
  const url = await serve(routes)

  expect((await post(`${url}/echo`, '{}', type)).status).toBe(status)
})

test('limits a body to 1 MiB or to the limit of its operation', async () => {
  const url = await serve([echo, { ...echo, path: '/small', aliases: [], bodyLimit: 20 }])
  const long = JSON.stringify({ word: 'x'.repeat(1024 * 1024) })

  expect(await (await post(`${url}/echo`, long)).json()).toMatchObject({
    error: 'The body has more than 1048576 bytes. Send less in one request.',
    code: 'body_too_large',
  })
  expect((await post(`${url}/small`, '{"word":"12345678901234567890"}')).status).toBe(413)
})

const longWord = 'é'.repeat(600_000)
test.each([
  ['parsed', `{"word":"${longWord}"}`, { body: { word: longWord } }],
  [
    'refused when it contains a prototype key',
    `{"word":"${longWord}","__proto__":{"count":7}}`,
    { error: expect.stringContaining('__proto__'), code: 'invalid_key' },
  ],
  ['refused when it is truncated', `{"word":"${longWord}`, { code: 'invalid_json' }],
  ['refused when it is a list', `["${longWord}"]`, { code: 'invalid_json' }],
  [
    'refused when it is nested too deeply',
    `{"word":${'['.repeat(6e5)}${']'.repeat(6e5)}}`,
    { code: 'invalid_json' },
  ],
])('a body above a mebibyte is %s', async (_, sent, expected) => {
  const url = await serve([{ ...echo, bodyLimit: 8_388_608 }], { host: manualClockHost() })

  expect(await (await post(`${url}/echo`, sent)).json()).toMatchObject(expected)
})

test('an alias has the same contract and its own operation in the document', async () => {
  const url = await serve(routes)

  expect((await post(`${url}/also/echo`, '{"word":7}')).status).toBe(400)
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Described
  expect(document.paths['/also/echo']).toMatchObject({
    post: { operationId: 'test.echo.2', 'x-permission': 'remember', summary: 'Says it again.' },
  })
  expect(document.paths['/echo']?.['post']).toMatchObject({
    responses: { 429: { $ref: '#/components/responses/TooMany' } },
  })
})

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
