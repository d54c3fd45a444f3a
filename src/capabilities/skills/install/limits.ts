/** Why a package is not installed. */
export class PackageRejected extends Error {
  override readonly name = 'PackageRejected'
}

export interface PackageTotals {
  /** Files and folders. */
  files: number
  bytes: number
  readonly depth: number
}

const maxFiles = 2_000
const maxFileBytes = 10_485_760
export const maxBytes = 52_428_800
const maxDepth = 10
const maxNameLength = 255

/** Counts a file or a folder. Rejects what exceeds a limit. */
export function addEntry(totals: PackageTotals, bytes: number): void {
  totals.files += 1
  totals.bytes += bytes
  if (totals.files > maxFiles) throw new PackageRejected(`it has more than ${maxFiles} files`)
  if (bytes > maxFileBytes) throw new PackageRejected('a file of it has more than 10 MiB')
  if (totals.bytes > maxBytes) throw new PackageRejected('it has more than 50 MiB')
  if (totals.depth > maxDepth) throw new PackageRejected(`it is deeper than ${maxDepth} folders`)
}

/** Adds the name to those of its folder. Systems differ in what they do with the rejected ones. */
export function assertEntryName(name: string, siblings: Set<string>): void {
  const isPlain = name !== '' && name !== '.' && name !== '..' && name.length <= maxNameLength
  if (!isPlain || /[\p{Cc}/\\]|[. ]$/u.test(name) || name !== name.toWellFormed())
    throw new PackageRejected('it contains a file with an unsafe name')
  const key = name.normalize('NFC').toLowerCase()
  if (siblings.has(key)) throw new PackageRejected('two names differ by their case alone')
  siblings.add(key)
}
