import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of one run of the tests, which is deleted after the run. */
    readonly sharedFolder: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-tests-'))
  project.provide('sharedFolder', folder)
  return () => rm(folder, { recursive: true })
}
