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
const largestManifestBytes = 64 * 1_048_576
const mostEntries = 1_000_000

/** Reads an archive through before anything of it is written, and refuses one that is not ours. */
export async function readArchive(archive: string): Promise<Manifest> {
  const sizes = new Map<string, number>()
  const problems: string[] = []
  const manifest: Buffer[] = []
  const onReadEntry = (entry: ReadEntry) => {
    const path = posix.normalize(entry.path)
    const problem = problemOf(entry, path) ?? (sizes.has(path) ? 'stands in it twice' : undefined)
    if (problem && problems.length < 10) problems.push(`${entry.path} ${problem}`)
    if (sizes.size < mostEntries && entry.type !== 'Directory') sizes.set(path, entry.size)
    if (path === manifestName) entry.on('data', (part) => manifest.push(Buffer.from(part)))
    else entry.resume()
  }
  try {
    await list({ file: archive, strict: true, onReadEntry })
  } catch (error) {
    throw refuse(`${archive} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  const [problem] = problems
  if (problem) throw refuse(problem)
  const read = parseManifest(Buffer.concat(manifest).toString('utf8'))
  refuseDifference(read, sizes)
  return read
}

function problemOf({ type, size, path }: ReadEntry, normal: string): string | undefined {
  if (type !== 'File' && type !== 'OldFile' && type !== 'Directory') return `is a ${type}`
  const outside = normal.startsWith('..') || posix.isAbsolute(normal) || /^[a-z]:|\\|\0/i.test(path)
  if (outside) return 'leads out of the folder'
  return normal === manifestName && size > largestManifestBytes ? 'is too large' : undefined
}

function parseManifest(text: string): Manifest {
  try {
    const written = Object(JSON.parse(text)) as Partial<Manifest>
    const sound = written.files?.every(
      ({ path, size, sha256 }) =>
        typeof path === 'string' && Number.isSafeInteger(size) && /^[0-9a-f]{64}$/.test(sha256),
    )
    if (sound && written.files) return { files: written.files }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
  throw refuse(`there is no ${manifestName} in it, or none that can be read`)
}

function refuseDifference({ files }: Manifest, sizes: ReadonlyMap<string, number>): void {
  for (const { path, size } of files)
    if (sizes.get(path) !== size) throw refuse(`${path} is missing, or not of its size`)
  const listed = new Set([manifestName, ...files.map(({ path }) => path)])
  for (const path of sizes.keys()) if (!listed.has(path)) throw refuse(`${path} is not listed`)
}

/** Each file is, byte by byte, what was saved. */
export async function verifyFiles(folder: string, { files }: Manifest): Promise<void> {
  for (const { path, sha256 } of files) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, path)), hash)
    if (hash.digest('hex') !== sha256) throw refuse(`${path} is not what was saved`)
  }
}

function refuse(problem: string): CliError {
  return new CliError('refused', 'bad_archive', `not a sound backup: ${problem}`)
}
