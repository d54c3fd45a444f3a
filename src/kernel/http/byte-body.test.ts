import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../errors/refusal.ts'
import { serve } from '../testing/serve.ts'
import { route } from './route.ts'

const upload = route({
  name: 'test.upload',
  method: 'PUT',
  path: '/upload/:mode',
  permission: 'modify',
  params: z.object({ mode: z.enum(['parts', 'whole', 'refused', 'first']) }),
  accepts: 'bytes',
  bodyLimit: 3_000_000,
  handle: async ({ params: { mode }, bytes }) => {
    if (mode === 'refused') throw new Refusal('conflict', 'test_conflict', 'not now')
    if (mode === 'whole') return { length: bytes.length, size: (await bytes.read(10))?.length }
    let size = 0
    for await (const part of bytes.parts()) {
      size += part.length
      if (mode === 'first') throw new Refusal('conflict', 'test_conflict', 'enough')
    }
    return { length: bytes.length, size }
  },
})

const put = async (
  url: string,
  mode: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: object = {},
) => {
  const reply = await fetch(`${url}/upload/${mode}`, {
    method: 'PUT',
    body,
    headers: { ...headers },
  })
  return { status: reply.status, body: await reply.json() }
}

test.each(['application/json', 'application/octet-stream', 'text/plain', 'any/thing'])(
  'a body of type %s reaches the operation unread',
  async (type) => {
    const url = await serve([upload])

    const reply = await put(url, 'parts', '{"no json', { 'content-type': type })

    expect(reply).toEqual({ status: 200, body: { length: 9, size: 9 } })
  },
)

test('a body without a content type or without content is accepted', async () => {
  const url = await serve([upload])

  const sent = await put(url, 'parts', new Uint8Array(2_000_000))
  const empty = await put(url, 'whole', '')

  expect(sent.body).toEqual({ length: 2_000_000, size: 2_000_000 })
  expect(empty.body).toEqual({ length: 0, size: 0 })
})

test('a body in chunks has no length and may not exceed the limit of the route', async () => {
  const url = await serve([upload])
  const send = async (size: number) => {
    const sending = request(`${url}/upload/parts`, { method: 'PUT' })
    for (let sent = 0; sent < size; sent += 100_000) sending.write(Buffer.alloc(100_000))
    const [reply] = await once(sending.end(), 'response')
    return [reply.statusCode, await json(reply)]
  }

  expect(await send(200_000)).toEqual([200, { size: 200_000 }])
  expect(await send(3_100_000)).toMatchObject([413, { code: 'body_too_large' }])
})

test.each([
  ['parts', 3_000_001, 413],
  ['whole', 11, 200],
  ['refused', 2_900_000, 409],
  ['first', 2_900_000, 409],
])('mode %s with %d bytes replies %d and serves the next request', async (mode, size, status) => {
  const url = await serve([upload])

  const reply = await put(url, mode, new Uint8Array(size))
  const next = await put(url, 'whole', 'abc')

  expect(reply.status).toBe(status)
  expect(next.body).toEqual({ length: 3, size: 3 })
})

test('the document describes a form and the headers of bytes', async () => {
  const form = z.object({ files: z.array(z.file()), mode: z.string().optional() })
  const headers = z.object({ 'upload-length': z.int(), 'upload-generation': z.int().optional() })
  const url = await serve([{ ...upload, describedBytes: { form, headers } }])
  const { paths } = Object(await (await fetch(`${url}/openapi.json`)).json())
  const { requestBody, parameters } = paths['/upload/{mode}'].put

  expect(requestBody.content['multipart/form-data'].schema).toMatchObject({
    properties: { files: { items: { type: 'string', format: 'binary' } } },
    required: ['files'],
  })
  expect(parameters).toMatchObject([
    { in: 'path', name: 'mode' },
    { in: 'header', name: 'upload-length', required: true, schema: { type: 'integer' } },
    { in: 'header', name: 'upload-generation', required: false },
  ])
})

test('a compressed body is refused, and the document names the type of bytes', async () => {
  const url = await serve([upload])

  const reply = await put(url, 'parts', 'x', { 'content-encoding': 'gzip' })
  const document = await (await fetch(`${url}/openapi.json`)).json()

  expect(reply.status).toBe(415)
  expect(document).toMatchObject({
    paths: {
      '/upload/{mode}': {
        put: { requestBody: { required: true, content: { 'application/octet-stream': {} } } },
      },
    },
  })
})
