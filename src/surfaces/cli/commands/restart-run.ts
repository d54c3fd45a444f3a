import { explainError } from '../../../kernel/errors/system-error.ts'
import type { Call } from '../command.ts'
import { CliError } from '../failure.ts'
import { findRunning } from '../running-daemon.ts'
import { start } from './start-run.ts'
import { stop } from './stop-run.ts'

export interface RestartOptions {
  readonly timeout: number
}

/** The document is that of the start: stdout gets one. */
export async function restart(call: Call<RestartOptions>): Promise<void> {
  await assertStartable(call)
  const silent = { ...call.output, result: () => undefined }
  await stop({ ...call, output: silent })
  await start(call)
}

/** A running daemon is stopped only if its successor can start. */
async function assertStartable({ environment, program }: Call<RestartOptions>): Promise<void> {
  const running = await findRunning(environment.workspace)
  if (!running) return
  try {
    await program.checkStart(Number(new URL(running.url).port))
  } catch (error) {
    const message = `the daemon could not start again: ${explainError(error)}`
    const hint = `The running daemon (process ${running.pid}) was not stopped.`
    throw new CliError('fault', 'start_would_fail', message, hint)
  }
}
