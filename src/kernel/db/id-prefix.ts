const lowestId = '00000000-0000-0000-0000-000000000000'
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The ids with this prefix. Whole ids sort alike in every collation of a server; prefixes do not. */
export function toIdRange(prefix: string): { readonly first: string; readonly last: string } {
  const { length } = prefix
  return { first: prefix + lowestId.slice(length), last: prefix + highestId.slice(length) }
}
