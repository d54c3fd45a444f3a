import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { runProcess } from '../../kernel/process/run-process.ts'
import type { HarnessesNeeds } from './needs.ts'

export const regeneratedReply = z.union([
  z.object({ success: z.literal(true), message: z.string(), output: z.string() }),
  z.object({ success: z.literal(false), error: z.string() }),
])
type RegenerateResult = z.output<typeof regeneratedReply>

const timeoutMs = 10_000
const maxOutputLength = 4000

/** One run at a time, because all runs write the same files. */
export function createRegenerate(needs: HarnessesNeeds) {
  const state = { isRunning: false }
  return async (): Promise<RegenerateResult> => {
    if (state.isRunning)
      throw new Refusal('conflict', 'regeneration_under_way', 'The script is running already.')
    state.isRunning = true
    try {
      return await regenerate(needs)
    } finally {
      state.isRunning = false
    }
  }
}

async function regenerate({ folder, home, ...needs }: HarnessesNeeds): Promise<RegenerateResult> {
  const script = join(folder, 'scripts', 'generate-harness-configs.py')
  await assertScriptExists(script)
  try {
    const { code, timedOut, stdout, stderr } = await runProcess(needs, {
      purpose: 'harness files',
      command: 'python3',
      args: [script],
      cwd: folder,
      timeoutMs,
      env: { HOME: home, SVC_PATH: folder },
    })
    const output = stdout.slice(-maxOutputLength)
    if (code === 0) return { success: true, message: 'Harness files regenerated.', output }
    const problem = timedOut
      ? `the script exceeded ${timeoutMs / 1000} s`
      : `the script exited with code ${code}`
    return { success: false, error: `${problem}: ${stderr.slice(-maxOutputLength)}` }
  } catch (error) {
    // A missing python3 is reported, not thrown.
    if (error instanceof Refusal) return { success: false, error: error.message }
    throw error
  }
}

/** Links are rejected: they could point outside the workspace. */
async function assertScriptExists(script: string): Promise<void> {
  try {
    if ((await lstat(script)).isFile()) return
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error
  }
  throw new Refusal('not_found', 'script_missing', 'Regeneration script not found', {
    success: false,
  })
}
