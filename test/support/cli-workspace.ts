import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { removeFolder } from './make-folder.ts'
import { reapLater } from './reaper.ts'
import type { Run } from './run-in-process.ts'
import { runReverie } from './run-reverie.ts'

type Variables = Readonly<Record<string, string>>

/** Creates a workspace for one test. The daemon listens on a free port and stops after the test. */
export async function createCliWorkspace(env: Variables = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-life-'))
  const toEnv = (command: string | undefined, more: Variables = {}) => {
    const port = command === 'start' ? '0' : '9'
    return { SVC_PATH: folder, SVC_PORT: port, ...env, ...more }
  }
  const run = (...args: string[]): Promise<Run> => runReverie(args, { env: toEnv(args[0]) })
  const forget = reapLater(folder)
  onTestFinished(async () => {
    await run('stop')
    forget()
    await removeFolder(folder)
  })
  return {
    folder,
    run,
    /** Runs one command with additional variables and the given stdin. */
    runWith: (args: readonly string[], more: Variables, input = ''): Promise<Run> =>
      runReverie(args, { env: toEnv(args[0], more), input }),
  }
}
