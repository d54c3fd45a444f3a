import { BlockList, isIP } from 'node:net'

const subnets = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const
const localNames = /^localhost$|^[^.]+$|\.(localhost|local|lan|internal|localdomain|home\.arpa)$/

/** True for an address of this machine or of a private network. Other names may be public. */
export function isLocalAddress(url: string): boolean {
  const name = (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$|\.$/g, '')
  const family = isIP(name)
  if (family === 0) return localNames.test(name)
  const list = new BlockList()
  for (const [address, prefix, type] of subnets) list.addSubnet(address, prefix, type)
  return list.check(name, family === 4 ? 'ipv4' : 'ipv6')
}
