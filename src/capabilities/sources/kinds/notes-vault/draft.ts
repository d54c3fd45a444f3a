import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { hasCode } from '../../../../kernel/errors/system-error.ts'
import { invalid } from '../../refusals.ts'
import { type SourceDraft, toSourceId } from '../../source.ts'

export interface VaultRequest {
  readonly path: string
  readonly name: string | undefined
  readonly excludeGlobs: readonly string[] | undefined
  readonly agentId: string
}

/** The source of a folder. Refuses a path that is not a readable folder. */
export async function draftVault(
  { path, name, excludeGlobs = [], agentId }: VaultRequest,
  home: string,
): Promise<SourceDraft> {
  const root = toRoot(path, home)
  await assertFolder(root)
  return {
    id: toSourceId('notes-vault', root),
    kind: 'notes-vault',
    name: name ?? (basename(root) || root),
    root,
    excludeGlobs: [...excludeGlobs],
    providerSettings: { agentId },
  }
}

function toRoot(path: string, home: string): string {
  if (path === '~') return home
  if (path.startsWith('~/')) return join(home, path.slice(2))
  if (!path.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(path))
    throw invalid(`path must be absolute or begin with ~/, not ${path}.`)
  return resolve(path)
}

async function assertFolder(root: string): Promise<void> {
  try {
    if ((await stat(root)).isDirectory()) return
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG'].some((code) => hasCode(error, code)))
      throw error
    const reason = hasCode(error, 'EACCES') ? 'cannot be read' : 'does not exist'
    throw invalid(`The folder ${root} ${reason}.`)
  }
  throw invalid(`${root} is not a folder. Name the folder that holds the notes.`)
}
