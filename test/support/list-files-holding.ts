import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** The files under a folder with these bytes anywhere in them, be they of use to anybody or not. */
export async function listFilesHolding(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
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
