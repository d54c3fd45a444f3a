import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Address, assertAllowedAddress, guardLookup, type Lookup } from './address.ts'
import { clients, code, outboundTo } from './outbound.fixture.ts'

const refused = (url: string) => () => assertAllowedAddress(new URL(url), 'none')

/** A request that reaches the network rejects with this reason in its place. */
const passed = new Error('The guard was passed.')
const request = { signal: AbortSignal.abort(passed) }

const eachClient = async (url: string, lookup?: Lookup) => {
  const outbound = outboundTo([], lookup && { lookup })
  const calls = Object.values(clients).map((call) => call(outbound, url, request))
  return (await Promise.allSettled(calls)).map((result) =>
    result.status === 'rejected' ? result.reason : undefined,
  )
}

test.each([
  ['loopback', 'http://127.0.0.1/'],
  ['loopback', 'http://127.8.9.10/'],
  ['loopback', 'http://[::1]/'],
  ['private', 'http://10.0.0.1/'],
  ['private', 'http://172.16.0.1/'],
  ['private', 'http://192.168.1.1/'],
  ['unique local', 'http://[fd12:3456::1]/'],
  ['site local', 'http://[fec0::1]/'],
  ['link-local', 'http://169.254.1.1/'],
  ['link-local', 'http://[fe80::1]/'],
  ['metadata', 'http://169.254.169.254/latest/meta-data/'],
  ['metadata', 'http://[fd00:ec2::254]/'],
  ['metadata', 'http://100.100.100.200/'],
  ['metadata', 'http://168.63.129.16/'],
  ['metadata', 'http://192.0.0.192/'],
  ['carrier-grade', 'http://100.64.0.1/'],
  ['multicast', 'http://224.0.0.1/'],
  ['multicast', 'http://[ff02::1]/'],
  ['unspecified', 'http://0.0.0.0/'],
  ['unspecified', 'http://0.1.2.3/'],
  ['unspecified', 'http://[::]/'],
  ['broadcast', 'http://255.255.255.255/'],
  ['reserved', 'http://240.0.0.1/'],
  ['documentation', 'http://192.0.2.1/'],
  ['documentation', 'http://[2001:db8::1]/'],
  ['documentation', 'http://[3fff::1]/'],
  ['benchmarking', 'http://198.18.0.1/'],
  ['discard', 'http://[100::1]/'],
  ['mapped', 'http://[::ffff:127.0.0.1]/'],
  ['mapped, though public', 'http://[::ffff:8.8.8.8]/'],
  ['compatible', 'http://[::127.0.0.1]/'],
  ['compatible, though public', 'http://[::8.8.8.8]/'],
  ['translated', 'http://[::ffff:0:127.0.0.1]/'],
  ['6to4', 'http://[2002:7f00:1::]/'],
  ['NAT64', 'http://[64:ff9b::7f00:1]/'],
  ['local NAT64', 'http://[64:ff9b:1::7f00:1]/'],
  ['Teredo', 'http://[2001:0:7f00:1::1]/'],
  ['segment routing', 'http://[5f00::1]/'],
  ['unassigned', 'http://[4000::1]/'],
  ['decimal', 'http://2130706433/'],
  ['hexadecimal', 'http://0x7f000001/'],
  ['hexadecimal parts', 'http://0x7f.0.0.0x1/'],
  ['octal', 'http://0177.0.0.1/'],
  ['short', 'http://127.1/'],
  ['ended by a dot', 'http://127.0.0.1./'],
  ['percent-encoded', 'http://%31%32%37.0.0.1/'],
  ['full-width', 'http://１２７.０.０.１/'],
  ['single label', 'http://intranet/'],
  ['single label with a dot', 'http://intranet./'],
  ['single label', 'http://localhost/'],
  ['local name', 'http://printer.local/'],
  ['local name', 'http://app.localhost/'],
  ['local name', 'http://metadata.google.internal/'],
  ['local name in capitals with a dot', 'http://METADATA.google.INTERNAL./'],
])('refuses an address that is %s: %s', async (_, url) => {
  expect(refused(url)).toThrow(code('outbound_address'))
  expect(await eachClient(url)).toEqual(Array(3).fill(code('outbound_address')))
})

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'ws://example.com/',
  'http://user@example.com/',
  'https://user:secret@example.com/',
  'https://:secret@example.com/',
])('refuses schemes other than http and https, and credentials: %s', async (url) => {
  expect(refused(url)).toThrow(code('outbound_scheme'))
  expect(await eachClient(url)).toEqual(Array(3).fill(code('outbound_scheme')))
})

test.each([
  'https://example.com/',
  'http://example.com:8080/a?b#c',
  'http://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://bücher.example/',
])('allows a public address: %s', async (url) => {
  expect(refused(url)).not.toThrow()
  expect(await eachClient(url)).toEqual(Array(3).fill(passed))
})

test('a trusted origin may have any address, but no other scheme and no credentials', () => {
  const trust = (url: string) => () => assertAllowedAddress(new URL(url), 'owner')

  expect(trust('http://127.0.0.1:11434/')).not.toThrow()
  expect(trust('http://user:secret@127.0.0.1/')).toThrow()
  expect(trust('file:///etc/passwd')).toThrow()
})

test.each([
  'http://169.254.169.254/latest/',
  'http://[fd00:ec2::254]/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://[::ffff:169.254.169.254]/',
])('an allowed origin is never a metadata service: %s', async (url) => {
  const outbound = outboundTo([new URL(url).origin])
  for (const call of Object.values(clients))
    await expect(call(outbound, url, request)).rejects.toEqual(code('outbound_address'))
})

test('an allowed name never resolves to a metadata service', async () => {
  const lookup = async () => [{ address: '169.254.169.254', family: 4 }]
  const outbound = outboundTo(['http://models.example.com'], { lookup })
  for (const call of Object.values(clients))
    await expect(call(outbound, 'http://models.example.com/')).rejects.toEqual(
      code('outbound_address'),
    )
})

const publicOne = { address: '8.8.8.8', family: 4 }
const look = (lookup: () => readonly Address[]) =>
  promisify(guardLookup(async () => lookup()))('example.com', { all: true })

test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:8.8.8.8', 'fe80::1%eth0'])(
  'refuses a name with an address that is %s',
  async (address) => {
    const addresses = [publicOne, { address, family: 4 }]
    const refusal = { code: 'outbound_address', details: { host: 'example.com' } }
    await expect(look(() => addresses)).rejects.toMatchObject(refusal)
    const outbound = outboundTo([], { lookup: async () => addresses })
    for (const call of Object.values(clients))
      await expect(call(outbound, 'http://example.com/')).rejects.toMatchObject(refusal)
  },
)

test('looks a name up again for each connection', async () => {
  const answers = [[publicOne], [{ address: '127.0.0.1', family: 4 }]]
  const rebinding = () => answers.shift() ?? []

  expect(await look(rebinding)).toEqual([publicOne])
  await expect(look(rebinding)).rejects.toMatchObject({ code: 'outbound_address' })
  await expect(look(rebinding)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test.each(Object.entries(clients))(
  '%s refuses a name that now resolves to another address',
  async (_, call) => {
    const leaving = new AbortController()
    const answers = [[publicOne], [{ address: '127.0.0.1', family: 4 }]]
    const lookup = async () => {
      // The public address must not be called from a test.
      leaving.abort(passed)
      return answers.shift() ?? []
    }
    const outbound = outboundTo([], { lookup })

    const first = call(outbound, 'http://example.com/', { signal: leaving.signal })
    await expect(first).rejects.toBe(passed)
    await expect(call(outbound, 'http://example.com/')).rejects.toEqual(code('outbound_address'))
  },
)
