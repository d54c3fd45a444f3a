import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Connection, createOwnerCheck, readConnectionTables } from './peer-owner.ts'

const uid = 1000
const title = 'sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout'
const row = (from: string, to: string, state: string, user: number) =>
  ` 0: ${from} ${to} ${state} 00000000:00000000 00:00000000 00000000 ${user} 0 1234`
const ipv4 = {
  remoteAddress: '127.0.0.1',
  remotePort: 0x1234,
  localAddress: '127.0.0.1',
  localPort: 0x0f10,
}
const ipv6 = { ...ipv4, remoteAddress: '::1', localAddress: '::1' }
const mapped = { ...ipv4, remoteAddress: '::ffff:127.0.0.1', localAddress: '::ffff:127.0.0.1' }
const [one, six] = ['0100007F', '00000000000000000000000001000000']
const inSix = '0000000000000000FFFF00000100007F'

function isOwner(connection: Connection, rows: readonly string[]) {
  const readTable = async () => [title, ...rows].join('\n')
  return createOwnerCheck({ uid, readTable })(connection)
}

test.each([
  ['the own user', ipv4, row(`${one}:1234`, `${one}:0F10`, '01', uid), true],
  ['root', ipv4, row(`${one}:1234`, `${one}:0F10`, '01', 0), true],
  ['another user', ipv4, row(`${one}:1234`, `${one}:0F10`, '01', 1001), false],
  ['another user over IPv6', ipv6, row(`${six}:1234`, `${six}:0F10`, '01', 1001), false],
  ['the own user over IPv6', ipv6, row(`${six}:1234`, `${six}:0F10`, '01', uid), true],
  ['the own user over both', mapped, row(`${inSix}:1234`, `${inSix}:0F10`, '01', uid), true],
  ['the own user in the other table', ipv4, row(`${inSix}:1234`, `${inSix}:0F10`, '01', uid), true],
  ['a process that has closed it', ipv4, row(`${one}:1234`, `${one}:0F10`, '04', 0), false],
  ['our own end of it', ipv4, row(`${one}:0F10`, `${one}:1234`, '01', uid), false],
  ['a connection to another port', ipv4, row(`${one}:1234`, `${one}:0F11`, '01', uid), false],
] as const)('a peer of %s is judged by its row', async (_, connection, line, expected) => {
  expect(await isOwner(connection, [line])).toBe(expected)
})

test('a peer without a row is refused', async () => {
  expect(await isOwner(ipv4, [])).toBe(false)
})

test('without a table every peer passes, and a connection is looked up once', async () => {
  const reads: string[] = []
  const readTable = async () => {
    reads.push('read')
    return undefined
  }
  const check = createOwnerCheck({ uid, readTable })

  expect([await check(ipv4), await check(ipv4)]).toEqual([true, true])
  expect(reads).toEqual(['read'])
})

test.each(['127.0.0.1', '::1'])('a real connection to %s belongs to this process', async (host) => {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  const client = connect({ host, port: typeof address === 'object' ? (address?.port ?? 0) : 0 })
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  const [socket] = (await once(server, 'connection')) as [Socket]
  const check = createOwnerCheck({ uid: process.getuid?.() ?? 0, readTable: readConnectionTables })

  expect(await check(socket)).toBe(true)
})
