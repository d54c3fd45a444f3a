import { link, lstat, mkdir, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { hasCode } from '../../kernel/errors/has-code.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { listFolder } from '../../kernel/files/list-folder.ts'
import { hashFile, type Manifest, manifestName, verifyArchive, writeArchive } from './archive.ts'
import { copyFiles } from './copy-files.ts'
import type { WorkspaceNeeds } from './needs.ts'

export interface BackupResult {
  readonly file: string
  readonly bytes: number
  /** Number of files without the manifest. */
  readonly files: number
  readonly sha256: string
}

const stagingPrefix = 'backup-'
const stagingName = /^backup-\w{6}$/
const partialName = /^reverie-\w+\.tar\.gz\.partial$/

/** One backup at a time, because each copies the whole workspace. */
export function createBackUp(needs: WorkspaceNeeds) {
  const state = { isRunning: false }
  return async (request: Parameters<typeof backUp>[1]): Promise<BackupResult> => {
    if (state.isRunning)
      throw new Refusal('conflict', 'backup_under_way', 'Another backup is being made.')
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
  { file }: { readonly file?: string | undefined },
): Promise<BackupResult> {
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
    throw new Refusal('invalid', 'invalid_request', 'file must be an absolute path to a .tar.gz')
  if (!(await exists(dirname(file))))
    throw new Refusal('invalid', 'invalid_request', 'the folder of file is not there')
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
  const files: { path: string; size: number; sha256: string }[] = []
  for (const name of names.toSorted()) {
    const path = join(staging, name)
    const { size } = await stat(path)
    files.push({ path: name.split(sep).join('/'), size, sha256: await hashFile(path) })
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
