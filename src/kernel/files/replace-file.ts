import { type FileHandle, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where what is to take the place of a file is written; with a killed process it stays there. */
export const tempFolderName = /^\.next-\w{6}$/

/**
 * Puts a file in the place of another, whole or not at all, also when the power fails. Its folder
 * must be there. Mode 0600 unless said otherwise.
 */
export function replaceFile(file: string, text: string, mode = 0o600): Promise<void> {
  return replaceFileWith(file, (handle) => handle.writeFile(text), mode)
}

/** The same for what is too long to be held at once: `write` is given the new file. */
export async function replaceFileWith(
  file: string,
  write: (handle: FileHandle) => Promise<void>,
  mode = 0o600,
): Promise<void> {
  // A folder of its own, so that two who replace the same file do not write into one another's.
  const tempFolder = await mkdtemp(join(dirname(file), '.next-'))
  try {
    const next = join(tempFolder, 'file')
    await writeThrough(next, write, mode)
    await rename(next, file)
  } finally {
    await rm(tempFolder, { recursive: true, force: true })
  }
  await syncFolder(dirname(file))
}

async function writeThrough(
  file: string,
  write: (handle: FileHandle) => Promise<void>,
  mode: number,
): Promise<void> {
  const handle = await open(file, 'w', mode)
  try {
    await write(handle)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Windows opens no folders; there a rename is as lasting as it gets. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
