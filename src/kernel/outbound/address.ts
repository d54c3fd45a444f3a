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
/** Metadata services of cloud machines, which may issue credentials. One looks public. */
const publicMetadata = '168.63.129.16'
const metadataAddresses: readonly string[] = [
  publicMetadata,
  '169.254.169.254',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
]
const localEndings = ['.local', '.internal', '.localhost', '.localdomain', '.home.arpa']

/** `none` allows public addresses, `loopback` this machine, `owner` all but metadata services. */
export type Trust = 'none' | 'loopback' | 'owner'

/**
 * Throws `outbound_scheme` or `outbound_address`. Names are resolved and checked when connecting.
 */
export function assertAllowedAddress(url: URL, trust: Trust): void {
  if (!['http:', 'https:'].includes(url.protocol))
    throw new Refusal('invalid', 'outbound_scheme', 'Only http and https are called.')
  if (url.username || url.password)
    throw new Refusal('invalid', 'outbound_scheme', 'An address must not hold credentials.')
  const name = toName(url)
  if (!(isIP(name) ? accepts[trust](name) : acceptsName[trust](name))) throw addressRefusal(name)
}

/** True for a loopback address and for `localhost`; other names may resolve to anything. */
export function isLoopback(url: URL): boolean {
  const name = toName(url)
  return isIP(name) ? isLoopbackAddress(name) : isLocalhost(name)
}

/** Like Node's lookup, but fails with a refusal if any address is not allowed. */
export function guardLookup(lookup: Lookup, trust: Trust = 'none'): LookupFunction {
  return toNodeLookup(async (name) => {
    const addresses = await lookup(name)
    if (addresses.every(({ address }) => accepts[trust](address))) return addresses
    throw addressRefusal(name)
  })
}

/** Converts a lookup that returns a promise to Node's callback form. */
function toNodeLookup(lookup: Lookup): LookupFunction {
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

function isLoopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.parse(text).range() === 'loopback'
}

/** Also finds an IPv4 address that is mapped into IPv6. */
function isMetadataAddress(text: string): boolean {
  return ipaddr.isValid(text) && metadataAddresses.includes(ipaddr.process(text).toString())
}

function isLocalhost(name: string): boolean {
  return name === 'localhost'
}

const accepts: Readonly<Record<Trust, (address: string) => boolean>> = {
  none: isPublicAddress,
  loopback: isLoopbackAddress,
  owner: (address) => !isMetadataAddress(address),
}

const acceptsName: Readonly<Record<Trust, (name: string) => boolean>> = {
  none: isPublicName,
  loopback: isLocalhost,
  owner: () => true,
}

/** Without the brackets of an IPv6 address. */
function toName(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function isPublicName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return name.includes('.') && !localEndings.some((ending) => name.endsWith(ending))
}

function addressRefusal(host: string): Refusal {
  const message = 'The address is not on the public internet, and its origin is not allowed.'
  return new Refusal('forbidden', 'outbound_address', message, { host })
}
