import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { WorkspaceNeeds } from './needs.ts'

/** What belongs to the running process, or comes into being again by itself. */
const passing = /^\.next-|(-wal|-shm|-journal|\.tmp|\.partial|\.lock|\.sock)$/
const ofProcess = [
  ...['.daemon/lock.db', '.daemon/daemon.json', '.daemon/start.log'],
  '.daemon/hook-timeout',
]

/** Copies the plain files of the workspace but the database; links are not followed. Gives their paths. */
export async function copyFiles(needs: WorkspaceNeeds, into: string): Promise<string[]> {
  const { folder, logDir, database } = needs
  const left = [
    ...[join(folder, 'backups'), join(folder, 'search'), logDir, into].map((path) => resolve(path)),
    ...(database.file ? [resolve(database.file)] : []),
    ...ofProcess.map((path) => resolve(folder, path)),
  ]
  const copied: string[] = []
  const walk = async (at: string): Promise<void> => {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const path = join(at, entry.name)
      if (left.includes(resolve(path)) || passing.test(entry.name)) continue
      if (entry.isDirectory()) await walk(path)
      else if (entry.isFile()) {
        const name = relative(folder, path)
        await mkdir(dirname(join(into, name)), { recursive: true })
        await copyFile(path, join(into, name))
        copied.push(name)
      }
    }
  }
  await walk(folder)
  return copied
}
