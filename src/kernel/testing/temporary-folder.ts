import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-'))
  // A late write may fill a folder between its listing and its removal.
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 5 }))
  return folder
}
