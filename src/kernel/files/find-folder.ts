import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { invalidRequest } from '../errors/refusal.ts'
import { hasCode } from '../errors/system-error.ts'

/** The codes of paths that lead to no readable folder. */
const unusable = ['ENOENT', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG'] as const

/**
 * The absolute path of a folder that a user names; `~` is `home`. Refuses a path that is not a
 * readable folder. `field` names the path in messages.
 */
export async function findFolder(path: string, home: string, field: string): Promise<string> {
  const root = toAbsolute(path, home, field)
  await assertFolder(root)
  return root
}

function toAbsolute(path: string, home: string, field: string): string {
  if (path === '~') return home
  if (path.startsWith('~/')) return join(home, path.slice(2))
  if (!path.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(path))
    throw invalidRequest(`${field} must be absolute or begin with ~/, not ${path}.`)
  return resolve(path)
}

async function assertFolder(root: string): Promise<void> {
  try {
    if ((await stat(root)).isDirectory()) return
  } catch (error) {
    if (!unusable.some((code) => hasCode(error, code))) throw error
    const reason = hasCode(error, 'EACCES') ? 'cannot be read' : 'does not exist'
    throw invalidRequest(`The folder ${root} ${reason}.`)
  }
  throw invalidRequest(`${root} is not a folder. Name the folder that holds the files.`)
}
