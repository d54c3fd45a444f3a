import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { maxFileBytes, sortByPriority } from './file.ts'
import type { WorkspaceNeeds } from './needs.ts'

export interface WorkspaceFile {
  readonly name: string
  /** Empty for a file above the size limit. */
  readonly content: string
  /** Bytes. */
  readonly size: number
}

const maxFiles = 200

export async function listFiles({
  folder,
}: Pick<WorkspaceNeeds, 'folder'>): Promise<WorkspaceFile[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile() && /\.(md|yaml)$/.test(entry.name))
    .map(({ name }) => name)
  return Promise.all(
    sortByPriority(names)
      .slice(0, maxFiles)
      .map(async (name) => {
        const { size } = await stat(join(folder, name))
        const content = size > maxFileBytes ? '' : await readFile(join(folder, name), 'utf8')
        return { name, content, size }
      }),
  )
}
