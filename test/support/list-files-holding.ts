import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** The files under a folder with these bytes anywhere in them, be they of use to anybody or not. */
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

/** One that was being written may have another name by now. */
export async function readUnlessGone(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.of()
    throw error
  })
}

/** All entries below a folder. A lock folder may vanish while it is read: then the read starts again. */
export async function readTree(folder: string): Promise<Dirent[]> {
  for (;;)
    try {
      return await readdir(folder, { recursive: true, withFileTypes: true })
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' || path === folder) throw error
    }
}
