import { createHash, randomUUID } from 'node:crypto'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'

const retentionMs = 86_400_000

interface Staging {
  /** The published build folder. */
  readonly root: string
  readonly folder: string
  readonly startedAt: Date
}

/** Each process builds into its own folder, so that concurrent builds do not mix. */
export async function createStagingFolder(root: string): Promise<Staging> {
  await mkdir(root, { recursive: true })
  return { root, folder: await mkdtemp(join(root, '.staging-')), startedAt: new Date() }
}

/**
 * Adds the build under the hash of its content and updates the entry last. A running daemon
 * finds the chunks and threads of its own build for a day after the next one.
 */
export async function publishBuild({ root, folder, startedAt }: Staging): Promise<string> {
  const builds = join(root, 'builds')
  await escapeUnicode(folder)
  const id = await hashFolder(folder)
  await mkdir(join(root, 'client'), { recursive: true })
  await mkdir(builds, { recursive: true })
  for (const name of await readdir(join(folder, 'client')))
    await copyOver(join(folder, 'client', name), join(root, 'client', name), startedAt)
  await copyOver(join(folder, 'hook.cjs'), join(root, 'hook.cjs'), startedAt)
  const entry = join(folder, 'entry.js')
  await writeFile(entry, `import './builds/${id}/main.js'\n`)
  await addBuild(folder, join(builds, id))
  await markReplaced(root, id)
  await copyOver(join(builds, id, 'entry.js'), join(root, 'main.js'), startedAt)
  await removeExpired(root, id)
  return id
}

/** An identical build that exists is reused. */
async function addBuild(folder: string, target: string): Promise<void> {
  try {
    await rename(folder, target)
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY', 'EPERM'].includes(Object(error).code)) throw error
    await rm(folder, { recursive: true })
  }
}

/** V8 stores a file with one character outside ASCII in two bytes per character. */
async function escapeUnicode(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.js')) continue
    const text = await readFile(join(folder, name), 'utf8')
    await writeFile(join(folder, name), text.replaceAll(/[^\0-\x7f]/g, toEscape))
  }
}

function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

async function hashFolder(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort())
    hash.update(path.slice(folder.length)).update(await readFile(path))
  return hash.digest('hex').slice(0, 12)
}

/** Readers see the old file or the new one, never a part. */
async function copyOver(from: string, to: string, time: Date): Promise<void> {
  const temporary = `${to}.${randomUUID()}`
  await cp(from, temporary)
  await utimes(temporary, time, time)
  await rename(temporary, to)
}

/** The retention of the previous build begins now. */
async function markReplaced(root: string, id: string): Promise<void> {
  const entry = await readFile(join(root, 'main.js'), 'utf8').catch(() => '')
  const previous = /builds\/(\w+)\//.exec(entry)?.[1]
  const now = new Date()
  if (previous && previous !== id) await utimes(join(root, 'builds', previous), now, now)
}

/** Files directly below `dist`, other than the entries, come from builds without a folder. */
async function removeExpired(root: string, id: string): Promise<void> {
  const current = [id, 'builds', 'client', 'hook.cjs', 'main.js']
  for (const folder of [root, join(root, 'builds')])
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      if (!current.includes(name) && (await isExpired(path)))
        await rm(path, { recursive: true, force: true })
    }
}

async function isExpired(path: string): Promise<boolean> {
  const modified = await stat(path).catch(() => undefined)
  return modified !== undefined && modified.mtimeMs < Date.now() - retentionMs
}
