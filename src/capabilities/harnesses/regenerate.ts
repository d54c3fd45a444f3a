import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../kernel/errors/has-code.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { runProcess } from '../../kernel/process/run-process.ts'
import type { HarnessesNeeds } from './needs.ts'

export type Regenerated =
  | { readonly success: true; readonly message: string; readonly output: string }
  | { readonly success: false; readonly error: string }

const timeoutMs = 10_000
const mostCharacters = 4000

/** One at a time: all of them write the same files. */
export function createRegenerate(needs: HarnessesNeeds) {
  const state = { underWay: false }
  return async (): Promise<Regenerated> => {
    if (state.underWay)
      throw new Refusal('conflict', 'regeneration_under_way', 'The script is running already.')
    state.underWay = true
    try {
      return await regenerate(needs)
    } finally {
      state.underWay = false
    }
  }
}

async function regenerate({ host, folder, home }: HarnessesNeeds): Promise<Regenerated> {
  const script = join(folder, 'scripts', 'generate-harness-configs.py')
  await refuseMissing(script)
  try {
    const { code, timedOut, stdout, stderr } = await runProcess(host, {
      ...{ command: 'python3', args: [script], cwd: folder, timeoutMs },
      env: { HOME: home, SVC_PATH: folder },
    })
    const output = stdout.slice(-mostCharacters)
    if (code === 0) return { success: true, message: 'The harness files are written anew.', output }
    const why = timedOut ? `it took more than ${timeoutMs / 1000} s` : `it ended with code ${code}`
    return { success: false, error: `${why}: ${stderr.slice(-mostCharacters)}` }
  } catch (error) {
    // That there is no such program is an answer too.
    if (error instanceof Refusal) return { success: false, error: error.message }
    throw error
  }
}

/** A link could lead to a program that nobody put into the workspace. */
async function refuseMissing(script: string): Promise<void> {
  try {
    if ((await lstat(script)).isFile()) return
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error
  }
  throw new Refusal('not_found', 'script_missing', 'Regeneration script not found', {
    success: false,
  })
}
