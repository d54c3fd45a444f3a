import { basename } from 'node:path'
import { findFolder } from '../../../../kernel/files/find-folder.ts'
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
  const root = await findFolder(path, home, 'path')
  return {
    id: toSourceId('notes-vault', root),
    kind: 'notes-vault',
    name: name ?? (basename(root) || root),
    root,
    excludeGlobs: [...excludeGlobs],
    providerSettings: { agentId },
  }
}
