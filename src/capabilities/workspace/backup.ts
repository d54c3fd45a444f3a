import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  copyFile,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { create, list, type ReadEntry } from 'tar'
import type { z } from 'zod'
import { invalidRequest, Refusal } from '../../kernel/errors/refusal.ts'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { listFolder } from '../../kernel/files/folders.ts'
import type { WorkspaceNeeds } from './needs.ts'
import type { backupBody, backupReply } from './schemas.ts'

type BackupRequest = z.output<typeof backupBody>

const stagingPrefix = 'backup-'
const stagingName = /^backup-\w{6}$/
const partialName = /^reverie-\w+\.tar\.gz\.partial$/

/** One backup at a time, because each copies the whole workspace. */
export function createBackUp(needs: WorkspaceNeeds) {
  const state = { isRunning: false }
  return async (request: BackupRequest): Promise<z.input<typeof backupReply>> => {
    if (state.isRunning)
      throw new Refusal(
        'conflict',
        'backup_under_way',
        'Another backup is running. Retry when it is complete.',
      )
    state.isRunning = true
    try {
      return await backUp(needs, request)
    } finally {
      state.isRunning = false
    }
  }
}

/** Archives the workspace and verifies the archive before it gets its final name. */
export async function backUp(
  needs: WorkspaceNeeds,
  { file }: BackupRequest,
): Promise<z.input<typeof backupReply>> {
  const target = await readTarget(needs, file)
  await removeLeftovers(needs.folder)
  await mkdir(join(needs.folder, '.daemon'), { recursive: true })
  const staging = await mkdtemp(join(needs.folder, '.daemon', stagingPrefix))
  const partial = `${target}.partial`
  try {
    const manifest = await stageFiles(needs, staging)
    await writeArchive(partial, staging)
    await flush(partial)
    await verifyArchive(partial, manifest)
    await publish(partial, target)
    const { size: bytes } = await stat(target)
    const files = manifest.files.length
    return { file: target, bytes, files, sha256: await hashFile(target) }
  } finally {
    await rm(partial, { force: true })
    await rm(staging, { recursive: true })
  }
}

async function readTarget(
  { folder, database, host }: WorkspaceNeeds,
  file: string | undefined,
): Promise<string> {
  if (database.engine === 'postgres')
    throw new Refusal(
      'conflict',
      'database_on_server',
      'The memories are on a PostgreSQL server: back them up with pg_dump, and copy the workspace.',
    )
  const time = host
    .now()
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')
  if (file === undefined) {
    await mkdir(join(folder, 'backups'), { recursive: true, mode: 0o700 })
    return join(folder, 'backups', `reverie-${time}.tar.gz`)
  }
  if (!isAbsolute(file) || !/\.(tar\.gz|tgz)$/.test(file) || file.includes('\0'))
    throw invalidRequest('file must be an absolute path to a .tar.gz')
  if (!(await exists(dirname(file)))) throw invalidRequest('the folder of file does not exist')
  if (await exists(file)) throw backupExists(file)
  return file
}

/** Removes the staging folders of killed backups, which the next one would copy. */
async function removeLeftovers(folder: string): Promise<void> {
  const leftovers = { '.daemon': stagingName, backups: partialName }
  for (const [name, pattern] of Object.entries(leftovers))
    for await (const entry of listFolder(join(folder, name)))
      if (pattern.test(entry.name)) await rm(join(folder, name, entry.name), { recursive: true })
}

async function stageFiles(needs: WorkspaceNeeds, staging: string): Promise<Manifest> {
  const { database, folder, host, version } = needs
  const created_at = host.now().toISOString()
  const names = await copyFiles(needs, staging)
  if (database.file) {
    const name = relative(folder, database.file)
    await mkdir(dirname(join(staging, name)), { recursive: true })
    await database.backup(join(staging, name))
    names.push(name)
  }
  const files: Manifest['files'][number][] = []
  for (const name of names.toSorted()) {
    const file = join(staging, name)
    const { size } = await stat(file)
    files.push({ path: name.split(sep).join('/'), size, sha256: await hashFile(file) })
  }
  const manifest: Manifest = { format: 1, version, created_at, files }
  await writeFile(join(staging, manifestName), JSON.stringify(manifest, null, 1), { mode: 0o600 })
  return manifest
}

/** Uses a link, because a rename would replace an existing file. */
async function publish(partial: string, target: string): Promise<void> {
  try {
    await link(partial, target)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw backupExists(target)
    throw error
  }
}

function backupExists(file: string): Refusal {
  return new Refusal('conflict', 'backup_exists', `${file} is there already.`)
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Files of the running process and files that are regenerated. */
const transientName = /^\.next-|(-wal|-shm|-journal|\.tmp|\.partial|\.lock|\.sock)$/
const excludedNames = [
  'backups',
  'search',
  '.daemon/lock.db',
  '.daemon/daemon.json',
  '.daemon/start.log',
  '.daemon/hook-timeout',
]

/** Copies all plain files except the database; does not follow links. Returns their paths. */
async function copyFiles(needs: WorkspaceNeeds, target: string): Promise<string[]> {
  const { folder, logPaths, database } = needs
  const own = [
    ...logPaths,
    target,
    ...needs.excludedFiles(),
    ...(database.file ? [database.file] : []),
  ]
  const excludedPaths = [...excludedNames, ...own].map((path) => resolve(folder, path))
  const copied: string[] = []
  const walk = async (directory: string): Promise<void> => {
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name)
      if (excludedPaths.includes(resolve(path)) || transientName.test(entry.name)) continue
      if (entry.isDirectory()) await walk(path)
      else if (entry.isFile()) {
        const name = relative(folder, path)
        await mkdir(dirname(join(target, name)), { recursive: true })
        await copyFile(path, join(target, name))
        copied.push(name)
      }
    }
  }
  await walk(folder)
  return copied
}

/** `manifest.json`, which lists every other file of the archive. */
interface Manifest {
  readonly format: 1
  readonly version: string
  readonly created_at: string
  readonly files: readonly {
    readonly path: string
    readonly size: number
    readonly sha256: string
  }[]
}

const manifestName = 'manifest.json'

export async function writeArchive(archive: string, folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== manifestName)
  const options = { gzip: true, portable: true, cwd: folder, file: archive, mode: 0o600 }
  await create(options, [manifestName, ...names.toSorted()])
}

/** Reads the archive back; throws unless it contains exactly the listed files. */
export async function verifyArchive(archive: string, { files }: Manifest): Promise<void> {
  const digests = new Map<string, string>()
  const entries: Promise<void>[] = []
  const onReadEntry = (entry: ReadEntry) => {
    if (entry.type === 'Directory' || entry.path === manifestName) return entry.resume()
    const hash = createHash('sha256')
    const ended = Promise.withResolvers<void>()
    entries.push(ended.promise)
    entry.on('data', (part) => hash.update(part))
    entry.on('end', () => {
      digests.set(posix.normalize(entry.path), hash.digest('hex'))
      ended.resolve()
    })
  }
  await list({ file: archive, strict: true, onReadEntry })
  await Promise.all(entries)
  const mismatch = files.find(({ path, sha256 }) => digests.get(path) !== sha256)
  if (mismatch) throw new Error(`The archive lacks ${mismatch.path} or differs from it.`)
  if (digests.size !== files.length) throw new Error('The archive contains unlisted files.')
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
