import { explainError } from '../../../kernel/errors/system-error.ts'
import { type Call, command, option } from '../command.ts'
import { findRunning } from '../daemon-file.ts'
import { CliError } from '../failure.ts'
import { type StartOptions, startDaemon } from './start.ts'
import { stopDaemon } from './stop.ts'

export const restart = command<StartOptions>({
  usage: 'restart',
  summary: 'Stop the daemon of this workspace if it runs, and start it',
  options: [
    option('--timeout <seconds>', 'maximum seconds to wait for each step', {
      type: 'count',
      default: 60,
    }),
  ],
  examples: ['reverie restart', 'SVC_PORT=4000 reverie restart'],
  run: async (call) => {
    await assertStartable(call)
    // Stdout gets one document: that of the start.
    await stopDaemon({ ...call, output: { ...call.output, result: () => undefined } })
    await startDaemon(call)
  },
})

/** A running daemon is stopped only if its successor can start. */
async function assertStartable({ environment, program }: Call<StartOptions>): Promise<void> {
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
