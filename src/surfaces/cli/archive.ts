import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { list, type ReadEntry } from 'tar'
import { CliError } from './failure.ts'

export interface Manifest {
  readonly files: readonly {
    readonly path: string
    readonly size: number
    readonly sha256: string
  }[]
}

const manifestName = 'manifest.json'
const maxManifestBytes = 64 * 1_048_576
const maxEntries = 1_000_000

/** Reads an archive through before anything of it is written, and refuses one that is not ours. */
export async function readArchive(archive: string): Promise<Manifest> {
  const sizes = new Map<string, number>()
  const problems: string[] = []
  const manifest: Buffer[] = []
  const onReadEntry = (entry: ReadEntry) => {
    const path = posix.normalize(entry.path)
    const problem = problemOf(entry, path) ?? (sizes.has(path) ? 'occurs twice' : undefined)
    if (problem && problems.length < 10) problems.push(`${entry.path} ${problem}`)
    if (sizes.size < maxEntries && entry.type !== 'Directory') sizes.set(path, entry.size)
    if (path === manifestName) entry.on('data', (part) => manifest.push(Buffer.from(part)))
    else entry.resume()
  }
  try {
    await list({ file: archive, strict: true, onReadEntry })
  } catch (error) {
    throw invalidBackup(
      `${archive} cannot be read: ${error instanceof Error ? error.message : error}`,
    )
  }
  const [problem] = problems
  if (problem) throw invalidBackup(problem)
  const read = parseManifest(Buffer.concat(manifest).toString('utf8'))
  assertSameFiles(read, sizes)
  return read
}

function problemOf({ type, size, path }: ReadEntry, normal: string): string | undefined {
  if (type !== 'File' && type !== 'OldFile' && type !== 'Directory') return `is a ${type}`
  const outside = normal.startsWith('..') || posix.isAbsolute(normal) || /^[a-z]:|\\|\0/i.test(path)
  if (outside) return 'points outside the folder'
  return normal === manifestName && size > maxManifestBytes ? 'is too large' : undefined
}

function parseManifest(text: string): Manifest {
  try {
    const value = Object(JSON.parse(text)) as Partial<Manifest>
    const isValid = value.files?.every(
      ({ path, size, sha256 }) =>
        typeof path === 'string' && Number.isSafeInteger(size) && /^[0-9a-f]{64}$/.test(sha256),
    )
    if (isValid && value.files) return { files: value.files }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
  throw invalidBackup(`${manifestName} is missing or invalid`)
}

function assertSameFiles({ files }: Manifest, sizes: ReadonlyMap<string, number>): void {
  for (const { path, size } of files)
    if (sizes.get(path) !== size) throw invalidBackup(`${path} is missing or has another size`)
  const listed = new Set([manifestName, ...files.map(({ path }) => path)])
  for (const path of sizes.keys())
    if (!listed.has(path)) throw invalidBackup(`${path} is not in the manifest`)
}

/** Each file is, byte by byte, what was saved. */
export async function verifyFiles(folder: string, { files }: Manifest): Promise<void> {
  for (const { path, sha256 } of files) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, path)), hash)
    if (hash.digest('hex') !== sha256) throw invalidBackup(`${path} differs from its checksum`)
  }
}

function invalidBackup(problem: string): CliError {
  return new CliError('refused', 'bad_archive', `invalid backup: ${problem}`)
}
