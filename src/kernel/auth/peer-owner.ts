import { readFile } from 'node:fs/promises'
import { hasCode } from '../errors/system-error.ts'

/** The addresses of a connection, as its socket has them. */
export interface Connection {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
}

/** Whether the peer is a process of the daemon's user or of root. */
export type IsOwner = (connection: Connection) => Promise<boolean>

interface OwnerNeeds {
  /** The user of the daemon. */
  readonly uid: number
  /** Returns the connections of this machine; undefined where the system has no such table. */
  readonly readTable: () => Promise<string | undefined>
}

const tables = ['/proc/net/tcp', '/proc/net/tcp6']
const established = '01'
const rootUid = 0

/** Looks a peer up once per connection. Where the system has no table of connections, all pass. */
export function createOwnerCheck({ uid, readTable }: OwnerNeeds): IsOwner {
  const checked = new WeakMap<Connection, Promise<boolean>>()
  const check = async (connection: Connection) => {
    const table = await readTable()
    if (table === undefined) return true
    const peerUid = findPeerUid(table, connection)
    return peerUid === uid || peerUid === rootUid
  }
  return (connection) => {
    const known = checked.get(connection) ?? check(connection)
    checked.set(connection, known)
    return known
  }
}

/** The tables of Linux; undefined on other systems. */
export async function readConnectionTables(): Promise<string | undefined> {
  const texts = await Promise.all(tables.map(readIfExists))
  return texts.every((text) => text === undefined) ? undefined : texts.join('\n')
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** A socket without a process belongs to root in the table, but it is not established. */
function findPeerUid(table: string, connection: Connection): number | undefined {
  const { remoteAddress, remotePort, localAddress, localPort } = connection
  const peer = toEndpoints(remoteAddress, remotePort)
  const own = toEndpoints(localAddress, localPort)
  for (const line of table.split('\n')) {
    const [, from = '', to = '', state, , , , user] = line.trim().split(/\s+/)
    if (state === established && peer.includes(from) && own.includes(to)) return Number(user)
  }
  return undefined
}

/** An address in the format of the table. The table of IPv6 lists IPv4 addresses, too. */
function toEndpoints(address = '', port = 0): readonly string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0')
  const parts = address.replace(/^::ffff:/i, '').split('.')
  if (parts.length !== 4) return [`${ipv6Loopback}:${hexPort}`]
  const hex = parts.toReversed().map((part) => Number(part).toString(16).padStart(2, '0'))
  const ipv4 = hex.join('').toUpperCase()
  return [`${ipv4}:${hexPort}`, `${mappedPrefix}${ipv4}:${hexPort}`]
}

/** Words of four bytes in the order of the machine. */
const ipv6Loopback = '00000000000000000000000001000000'
const mappedPrefix = '0000000000000000FFFF0000'
