import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, readReady } from '../../../client/client.ts'
import { isUnanswered } from '../../../client/public/reverie-error.ts'
import { isAlive } from '../../../kernel/files/file-lock.ts'
import { makeFolder } from '../../../kernel/files/folders.ts'
import { type Call, command, option } from '../command.ts'
import { answerTimeoutMs, type DaemonFile, findDaemonFile, findRunning } from '../daemon-file.ts'
import { readDaemonVariables, semiSpaceFlag } from '../daemon-process.ts'
import { CliError } from '../failure.ts'
import { colors } from '../output.ts'
import { busyWith } from '../progress.ts'
import {
  describeService,
  findInstallation,
  isAvailable,
  startService,
} from '../service/registration.ts'

export interface StartOptions {
  readonly foreground?: boolean
  readonly timeout: number
}

const pollMs = 50

export const start = command<StartOptions>({
  usage: 'start',
  summary: 'Start the daemon and wait until it is ready',
  options: [
    option('--foreground', 'run it in this terminal until Ctrl-C'),
    option('--timeout <seconds>', 'maximum seconds to wait', { type: 'count', default: 60 }),
  ],
  examples: ['reverie start', 'SVC_PORT=4000 reverie start --foreground'],
  run: startDaemon,
})

export async function startDaemon(call: Call<StartOptions>): Promise<void> {
  const { options, environment, output, program } = call
  const running = await findRunning(environment.workspace)
  if (running) return showRunning(call, running, 'already_running')
  if (options.foreground) {
    await program.runDaemon()
    return output.note(firstCommand)
  }
  const log = join(environment.workspace, '.daemon', 'start.log')
  const service = await findInstalledService(call)
  const started = await busyWith(output, 'Starting Reverie', async () => {
    if (!service) return await startDetached(environment.workspace, log, options.timeout)
    await startService(service)
    return await untilReady(environment.workspace, options.timeout)
  })
  showRunning(call, started, 'started')
}

/** An installed service starts its own daemon, which is restarted after a failure. */
async function findInstalledService({ environment }: Pick<Call, 'environment'>) {
  const service = await describeService(environment)
  if (!service || (await findInstallation(service)) !== 'ours') return undefined
  return (await isAvailable(service)) ? service : undefined
}

const firstCommand = '  Try: reverie remember "I like my tea green"'

function showRunning({ output }: Pick<Call, 'output'>, { pid, url }: DaemonFile, status: string) {
  const title = status === 'started' ? 'Reverie is running at' : 'Reverie is already running at'
  output.result({ status, pid, url }, () => {
    const line = `${colors.green('✓')} ${title} ${colors.cyan(url)} ${colors.dim(`(process ${pid})`)}`
    return status === 'started' ? `${line}\n${firstCommand}` : line
  })
}

async function startDetached(workspace: string, log: string, timeoutSeconds: number) {
  await makeFolder(join(workspace, '.daemon'))
  const file = await open(log, 'w', 0o600)
  const [, script = ''] = process.argv
  const daemon = spawn(process.execPath, [semiSpaceFlag, script, 'start', '--foreground'], {
    detached: true,
    env: { ...readDaemonVariables(), SVC_PATH: workspace },
    stdio: ['ignore', file.fd, file.fd],
    windowsHide: true,
  })
  const ended = once(daemon, 'exit').then(() => 'ended' as const)
  try {
    await once(daemon, 'spawn')
    for (let waitedMs = 0; waitedMs <= timeoutSeconds * 1000; waitedMs += pollMs) {
      const running = await findDaemonFile(workspace)
      if (running?.pid === daemon.pid && running && (await isReady(running.url))) return running
      if ((await Promise.race([ended, pause(pollMs)])) === 'ended') throw await toStartFailure(log)
    }
  } finally {
    daemon.unref()
    await file.close()
  }
  throw toNotReady(workspace, timeoutSeconds)
}

/** Waits for a daemon that another program starts. */
export async function untilReady(workspace: string, timeoutSeconds: number): Promise<DaemonFile> {
  for (let waitedMs = 0; waitedMs <= timeoutSeconds * 1000; waitedMs += pollMs) {
    const running = await findDaemonFile(workspace)
    if (running && isAlive(running.pid) && (await isReady(running.url))) return running
    await pause(pollMs)
  }
  throw toNotReady(workspace, timeoutSeconds)
}

function toNotReady(workspace: string, timeoutSeconds: number): CliError {
  const hint = `See ${join(workspace, '.daemon', 'start.log')}, or run: reverie doctor`
  const message = `the daemon is not ready after ${timeoutSeconds} s`
  return new CliError('busy', 'not_ready', message, hint)
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await readReady(createClient({ url }), answerTimeoutMs)).status === 'ready'
  } catch (error) {
    if (isUnanswered(error)) return false
    throw error
  }
}

async function toStartFailure(log: string): Promise<CliError> {
  const output = (await readFile(log, 'utf8')).trimEnd()
  if (output === '') {
    const hint = 'The disk may be full: check df, and free space.'
    return new CliError('fault', 'start_failed', 'the daemon exited without output', hint)
  }
  const lines = output.split('\n').slice(-12)
  const message = `the daemon exited before it was ready:\n${lines.join('\n')}`
  return new CliError('fault', 'start_failed', message, `The full log is in ${log}`)
}
