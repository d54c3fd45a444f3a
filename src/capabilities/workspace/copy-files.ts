import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { WorkspaceNeeds } from './needs.ts'

/** Files of the running process and files that are regenerated. */
const transientName = /^\.next-|(-wal|-shm|-journal|\.tmp|\.partial|\.lock|\.sock)$/
const processFiles = [
  ...['.daemon/lock.db', '.daemon/daemon.json', '.daemon/start.log'],
  '.daemon/hook-timeout',
]

/** Copies all plain files except the database; does not follow links. Returns their paths. */
export async function copyFiles(needs: WorkspaceNeeds, target: string): Promise<string[]> {
  const { folder, logDir, database } = needs
  const excludedPaths = [
    ...[join(folder, 'backups'), join(folder, 'search'), logDir, target].map((path) =>
      resolve(path),
    ),
    ...(database.file ? [resolve(database.file)] : []),
    ...processFiles.map((path) => resolve(folder, path)),
  ]
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
