import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Deletes a folder in which a program that is about to end may still write. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 })

/** Creates an empty folder and deletes it after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-test-'))
  onTestFinished(() => removeFolder(folder))
  return folder
}
