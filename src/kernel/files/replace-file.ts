import { type FileHandle, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Temporary folder of a replacement. A killed process leaves it behind. */
export const tempFolderName = /^\.next-\w{6}$/

/** Replaces a file atomically and durably. Its folder must exist. The default mode is 0600. */
export function replaceFile(file: string, text: string, mode = 0o600): Promise<void> {
  return replaceFileWith(file, (handle) => handle.writeFile(text), mode)
}

/** Like `replaceFile`, for content that is written in parts: `write` receives the new file. */
export async function replaceFileWith(
  file: string,
  write: (handle: FileHandle) => Promise<void>,
  mode = 0o600,
): Promise<void> {
  // A separate folder, so that concurrent replacements of a file do not collide.
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

/** Windows cannot open folders, so the rename is not synced there. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
