import { lookup as dnsLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Refusal } from '../errors/refusal.ts'

export interface Address {
  readonly address: string
  readonly family: number
}

/** Resolves all addresses of a host name. */
export type Lookup = (name: string) => Promise<readonly Address[]>

export const systemLookup: Lookup = (name) => dnsLookup(name, { all: true })

/** The global unicast range. Compatible and other legacy forms are outside of it. */
const assignedIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** The metadata endpoint of a cloud provider, in the public range. */
const publicMetadata = '168.63.129.16'
const localEndings = ['.local', '.internal', '.localhost', '.localdomain', '.home.arpa']

/**
 * Throws `outbound_scheme` or `outbound_address`. Names are resolved and checked when connecting.
 */
export function assertAllowedAddress(url: URL, trusted: boolean): void {
  if (!['http:', 'https:'].includes(url.protocol))
    throw new Refusal('invalid', 'outbound_scheme', 'Only http and https are called.')
  if (url.username || url.password)
    throw new Refusal('invalid', 'outbound_scheme', 'An address must not hold credentials.')
  const name = url.hostname.replace(/^\[|\]$/g, '')
  if (!(trusted || (isIP(name) ? isPublicAddress(name) : isPublicName(name))))
    throw addressRefusal(name)
}

/** Like Node's lookup, but fails with a refusal if any address is not public. */
export function guardLookup(lookup: Lookup): LookupFunction {
  return toNodeLookup(async (name) => {
    const addresses = await lookup(name)
    if (addresses.every(({ address }) => isPublicAddress(address))) return addresses
    throw addressRefusal(name)
  })
}

/** Converts a lookup that returns a promise to Node's callback form. */
export function toNodeLookup(lookup: Lookup): LookupFunction {
  return (name, { all }, answer) => {
    const resolveFirst = async () => {
      const addresses = await lookup(name)
      const [first] = addresses
      if (first) return { addresses, first }
      throw Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' })
    }
    void resolveFirst().then(
      ({ addresses, first }) =>
        all ? answer(null, [...addresses]) : answer(null, first.address, first.family),
      (error) => answer(error, ''),
    )
  }
}

function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text === publicMetadata) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(assignedIPv6)
}

function isPublicName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return name.includes('.') && !localEndings.some((ending) => name.endsWith(ending))
}

function addressRefusal(host: string): Refusal {
  const message = 'The address is not on the public internet, and its origin is not allowed.'
  return new Refusal('forbidden', 'outbound_address', message, { host })
}
