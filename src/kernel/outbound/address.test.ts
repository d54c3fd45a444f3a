import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Address, assertAllowedAddress, guardLookup } from './address.ts'

const refused = (url: string) => () => assertAllowedAddress(new URL(url), false)

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
])('refuses an address that is %s: %s', (_, url) => {
  expect(refused(url)).toThrow(expect.objectContaining({ code: 'outbound_address' }))
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
])('refuses schemes other than http and https, and credentials: %s', (url) => {
  expect(refused(url)).toThrow(expect.objectContaining({ code: 'outbound_scheme' }))
})

test.each([
  'https://example.com/',
  'http://example.com:8080/a?b#c',
  'http://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://bücher.example/',
])('allows a public address: %s', (url) => {
  expect(refused(url)).not.toThrow()
})

test('a trusted origin may have any address, but no other scheme and no credentials', () => {
  const trust = (url: string) => () => assertAllowedAddress(new URL(url), true)

  expect(trust('http://127.0.0.1:11434/')).not.toThrow()
  expect(trust('http://user:secret@127.0.0.1/')).toThrow()
  expect(trust('file:///etc/passwd')).toThrow()
})

const publicOne = { address: '8.8.8.8', family: 4 }
const look = (lookup: () => readonly Address[]) =>
  promisify(guardLookup(async () => lookup()))('example.com', { all: true })

test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:8.8.8.8', 'fe80::1%eth0'])(
  'refuses a name with an address that is %s',
  async (address) => {
    await expect(look(() => [publicOne, { address, family: 4 }])).rejects.toMatchObject({
      code: 'outbound_address',
      details: { host: 'example.com' },
    })
  },
)

test('looks a name up again for each connection', async () => {
  const answers = [[publicOne], [{ address: '127.0.0.1', family: 4 }]]
  const rebinding = () => answers.shift() ?? []

  expect(await look(rebinding)).toEqual([publicOne])
  await expect(look(rebinding)).rejects.toMatchObject({ code: 'outbound_address' })
  await expect(look(rebinding)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})
