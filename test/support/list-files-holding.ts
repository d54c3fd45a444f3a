import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Lists the files under a folder that contain these bytes. */
export async function listFilesHolding(folder: string, text: string): Promise<string[]> {
  const entries = await readTree(folder)
  const files = entries.filter((entry) => entry.isFile())
  const holding: string[] = []
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name)
    if ((await readUnlessGone(file)).includes(text)) holding.push(relative(folder, file))
  }
  return holding.toSorted()
}

/** A file in the middle of a replacement may have another name by now. */
export async function readUnlessGone(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.of()
    throw error
  })
}

/**
 * All entries below a folder. A lock folder may vanish during the read; then the read starts again.
 */
export async function readTree(folder: string): Promise<Dirent[]> {
  for (;;)
    try {
      return await readdir(folder, { recursive: true, withFileTypes: true })
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' || path === folder) throw error
    }
}
