import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { code, outboundTo, reach, redirectTo, serve } from './outbound.fixture.ts'

test.each([
  ['http://127.0.0.1:1/', 'outbound_address'],
  ['http://169.254.169.254/latest/', 'outbound_address'],
  ['//localhost/', 'outbound_address'],
  ['file:///etc/passwd', 'outbound_scheme'],
  ['http://user:secret@example.com/', 'outbound_scheme'],
  ['http://[', 'outbound_redirects'],
])('refuses a redirect to %s', async (location, refusal) => {
  const { origin, outbound } = await reach(redirectTo(location))

  await expect(outbound.fetch(origin)).rejects.toEqual(code(refusal))
})

/** A host name that passes the check as public and resolves to this machine. */
async function seeminglyPublic() {
  let reads = 0
  return [
    {
      get address() {
        reads += 1
        return reads === 1 ? '93.184.215.14' : '127.0.0.1'
      },
      family: 4,
    },
  ]
}

test('a redirect chain that left the allowed origins cannot return to one', async () => {
  const requestedPaths: string[] = []
  const allowed = await serve((request, reply) => {
    requestedPaths.push(request.url ?? '')
    redirectTo(`${page}/out`)(request, reply)
  })
  const foreign = await serve(redirectTo(`${allowed}/secret`))
  const page = `http://page.example.com:${new URL(foreign).port}`
  const outbound = outboundTo([allowed], { lookup: seeminglyPublic })

  await expect(outbound.fetch(`${page}/`)).rejects.toEqual(code('outbound_address'))
  expect(requestedPaths).toEqual([])
  await expect(outbound.fetch(`${allowed}/first`)).rejects.toEqual(code('outbound_address'))
  expect(requestedPaths).toEqual(['/first'])
})

test('follows up to five redirects and detects loops', async () => {
  const { origin, outbound } = await reach((request, reply) => {
    const left = Number(request.url?.slice(1))
    if (left > 0) return redirectTo(`/${left - 1}`)(request, reply)
    return left === 0 ? reply.end('there') : redirectTo('/circle')(request, reply)
  })

  expect(await outbound.fetch(`${origin}/5`)).toMatchObject({ status: 200, url: `${origin}/0` })
  await expect(outbound.fetch(`${origin}/6`)).rejects.toEqual(code('outbound_redirects'))
  await expect(outbound.fetch(`${origin}/circle`)).rejects.toEqual(code('outbound_redirects'))
})

test('drops secret headers on a redirect to another origin', async () => {
  const headers = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Api-Key': 'k', 'User-Agent': 'me' }
  const echo: RequestListener = (request, reply) => reply.end(JSON.stringify(request.headers))
  const other = await serve(echo)
  const origin = await serve((request, reply) => {
    if (request.url === '/here') return echo(request, reply)
    return redirectTo(request.url === '/stay' ? '/here' : other)(request, reply)
  })
  const outbound = outboundTo([origin, other])
  const seenAfter = async (path: string) =>
    JSON.parse((await outbound.fetch(origin + path, { headers })).body.toString())

  expect(await seenAfter('/stay')).toMatchObject({
    authorization: 'Bearer x',
    cookie: 'a=b',
    'x-api-key': 'k',
    'user-agent': 'me',
  })
  const elsewhere = await seenAfter('/leave')
  expect(elsewhere['user-agent']).toBe('me')
  expect(Object.keys(elsewhere)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/authorization|cookie|key/)]),
  )
})

test.each([
  [302, 'GET', ''],
  [303, 'GET', ''],
  [307, 'POST', 'words'],
  [308, 'POST', 'words'],
])('a POST is redirected by %i as %s', async (status, method, body) => {
  const { origin, outbound } = await reach((request, reply) => {
    if (request.url === '/') return redirectTo('/next', status)(request, reply)
    reply.setHeader('x-method', request.method ?? '')
    return request.pipe(reply)
  })
  const reply = await outbound.fetch(origin, { method: 'POST', body: 'words' })

  expect(reply.headers['x-method']).toBe(method)
  expect(reply.body.toString()).toBe(body)
})
