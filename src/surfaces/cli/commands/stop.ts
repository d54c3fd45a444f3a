import { setTimeout as pause } from 'node:timers/promises'
import { isAlive } from '../../../kernel/files/file-lock.ts'
import { type Call, command, option } from '../command.ts'
import { findDaemonFile, isReverieDaemon } from '../daemon-file.ts'
import { CliError } from '../failure.ts'
import { colors } from '../output.ts'
import { busyWith } from '../progress.ts'

export interface StopOptions {
  readonly timeout: number
}

const pollMs = 50

export const stop = command<StopOptions>({
  usage: 'stop',
  summary: 'Stop the daemon of this workspace',
  options: [
    option('--timeout <seconds>', 'maximum seconds to wait', { type: 'count', default: 30 }),
  ],
  examples: ['reverie stop'],
  run: stopDaemon,
})

export async function stopDaemon({
  options,
  environment,
  output,
}: Call<StopOptions>): Promise<void> {
  const { workspace } = environment
  const file = await findDaemonFile(workspace)
  if (!file || !isAlive(file.pid)) {
    const reply = { status: 'not_running', workspace }
    return output.result(reply, () => `No daemon runs in ${workspace}.`)
  }
  const { pid } = file
  if (!(await isReverieDaemon(file)))
    throw new CliError(
      'conflict',
      'not_ours',
      `process ${pid} runs, but does not reply as Reverie at ${file.url}; it was not signalled`,
      'If you know that it is Reverie, stop the process yourself.',
    )
  process.kill(pid, 'SIGTERM')
  await busyWith(output, 'Stopping Reverie', async () => {
    for (let waitedMs = 0; isAlive(pid); waitedMs += pollMs) {
      if (waitedMs > options.timeout * 1000)
        throw new CliError('busy', 'still_stopping', `process ${pid} has not stopped yet`)
      await pause(pollMs)
    }
  })
  output.result({ status: 'stopped', pid }, () => `${colors.green('✓')} Stopped.`)
}
