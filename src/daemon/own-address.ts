import { isIP } from 'node:net'

/** A socket bound to one of these accepts connections to every address of the machine. */
const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]'])

/** The URL at which programs of this machine reach a daemon that is bound to `host`. */
export function toOwnUrl(bound: string, host: string): string {
  const url = new URL(bound)
  if (wildcards.has(url.hostname)) url.hostname = '127.0.0.1'
  else if (isNetworkName(host)) url.hostname = host
  return url.origin
}

/** The `Host` header of a caller that connects to the bound address; none for a wildcard. */
export function toBoundNames(host: string): readonly string[] {
  const name = isIP(host) === 6 ? `[${host}]` : host
  const hostname = URL.parse(`http://${name}`)?.hostname ?? name
  return wildcards.has(hostname) ? [] : [hostname]
}

function isNetworkName(host: string): boolean {
  return isIP(host) === 0 && host !== 'localhost'
}
