import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rename, rm, rmdir, statfs } from 'node:fs/promises'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { extract, list, type ReadEntry } from 'tar'
import { messageOf } from '../../../kernel/errors/system-error.ts'
import { toCount } from '../../../kernel/errors/to-count.ts'
import { type Call, command, option } from '../command.ts'
import { isMissing } from '../daemon-file.ts'
import { CliError } from '../failure.ts'
import { colors } from '../output.ts'
import { busyWith } from '../progress.ts'

interface RestoreOptions {
  readonly into: string
}

export const restore = command<RestoreOptions>({
  usage: 'restore <file>',
  summary: 'Unpack a backup into an empty folder, and verify each file',
  options: [option('--into <folder>', 'an empty or new folder', { isRequired: true })],
  examples: ['reverie restore reverie.tar.gz --into ~/.svc'],
  run: restoreBackup,
})

async function restoreBackup({ args, options, output }: Call<RestoreOptions>): Promise<void> {
  const archive = resolve(args[0] ?? '')
  const folder = resolve(options.into)
  await assertEmpty(folder)
  const { files } = await busyWith(output, 'Restoring', () => unpack(archive, folder))
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  output.result({ folder, files: files.length, bytes }, () => {
    const next = `  Start on it with: SVC_PATH=${folder} reverie start`
    return `${colors.green('✓')} ${toCount(files.length, 'file')} restored to ${folder}, all verified\n${next}`
  })
}

async function assertEmpty(folder: string): Promise<void> {
  try {
    if ((await readdir(folder)).length === 0) return
  } catch (error) {
    if (isMissing(error)) return
    throw error
  }
  const hint = 'Use a new folder: a restore never overwrites files.'
  throw new CliError('conflict', 'not_empty', `${folder} is not empty`, hint)
}

/** The folder appears when every file is verified, or not at all. */
async function unpack(archive: string, folder: string): Promise<Manifest> {
  const manifest = await readArchive(archive)
  const unfinished = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`)).catch(
    (error) => {
      throw new CliError('usage', 'no_folder', `the folder cannot be created: ${error.message}`)
    },
  )
  try {
    await assertFits(manifest, unfinished)
    const listed = new Set(manifest.files.map(({ path }) => path))
    await extract({
      file: archive,
      cwd: unfinished,
      strict: true,
      filter: (path) => listed.has(path.replace(/^\.\//, '')),
    })
    await verifyFiles(unfinished, manifest)
    await rmdir(folder).catch((error) => {
      if (!isMissing(error)) throw error
    })
    await rename(unfinished, folder)
    return manifest
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

async function assertFits({ files }: Manifest, folder: string): Promise<void> {
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0)
  const { bavail, bsize } = await statfs(folder)
  if (totalBytes > bavail * bsize)
    throw new CliError(
      'refused',
      'no_space',
      `the backup needs ${totalBytes} bytes, ${bavail * bsize} are free`,
    )
}

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
    throw invalidBackup(`${archive} cannot be read: ${messageOf(error)}`)
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
