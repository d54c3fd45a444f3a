import type { IncomingMessage } from 'node:http'
import { Refusal } from '../errors/refusal.ts'

type Target = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>

/** A host name or address with an optional port; no user and no path. */
const hostPattern = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?$/i
const maxPort = 65_535

const targetMessage = 'The request target must be a path, or an http URL with the same host.'

/** A proxy and this server must read the same host from a request: RFC 9112, section 3.2. */
export function assertOneHost({ url = '', headers, rawHeaders }: Target): void {
  const { host = '' } = headers
  if (countHosts(rawHeaders) !== 1 || !isHost(host))
    throw new Refusal('invalid', 'invalid_host', 'A request needs one well-formed Host header.')
  if (!isTargetOf(host, url)) throw new Refusal('invalid', 'invalid_target', targetMessage)
}

function isHost(host: string): boolean {
  const match = hostPattern.exec(host)
  return match !== null && Number(match.groups?.['port'] ?? 0) <= maxPort
}

/** `headers` contains only the first value. */
function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  ).length
}

/** A request target has no fragment, and this server has no TLS. */
function isTargetOf(host: string, url: string): boolean {
  if (url.includes('#')) return false
  if (url.startsWith('/') || url === '*') return true
  const authority = /^http:\/\/(?<authority>[^/?]*)/i.exec(url)?.groups?.['authority']
  return authority?.toLowerCase() === host.toLowerCase()
}
