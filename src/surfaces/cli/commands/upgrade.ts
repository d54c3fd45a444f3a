import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import { realHost } from '../../../kernel/host/host.ts'
import { rollBack } from '../../../kernel/versions/pointer.ts'
import { type Call, command, option } from '../command.ts'
import { findRunning } from '../daemon-file.ts'
import { CliError } from '../failure.ts'
import { colors, type Output, toLine } from '../output.ts'
import { showProgress } from '../progress.ts'
import { startDaemon } from './start.ts'
import { stopDaemon } from './stop.ts'

interface UpgradeOptions {
  readonly check?: boolean
  readonly dryRun?: boolean
  readonly to?: string
  /** False with `--no-restart`. */
  readonly restart: boolean
}

/** The limits of all steps of the daemon together. */
const runTimeoutMs = 2_400_000
const startTimeoutSeconds = 120
const pollMs = 500

export const upgrade = command<UpgradeOptions>({
  usage: 'upgrade',
  aliases: ['self-update'],
  summary: 'Install a newer version of Reverie and restart the daemon with it',
  options: [
    option('--check', 'only report whether a newer version exists'),
    option('--dry-run', 'show what would happen'),
    option('--to <version>', 'install this version'),
    option('--no-restart', 'leave the daemon running; the new version runs after a restart'),
  ],
  examples: ['reverie upgrade --check'],
  run: async (call) => {
    const client = await call.connect()
    return call.options.check ? showCheck(call, client) : runUpgrade(call, client)
  },
})

async function showCheck({ output }: Call<UpgradeOptions>, client: Client): Promise<void> {
  const check = await client.call('GET /api/update/check', { query: { force: true } })
  output.result(check, () => {
    const { checkError, currentVersion, latestVersion, pendingVersion, updateAvailable } = check
    if (pendingVersion !== null) return `${pendingVersion} is installed; run: reverie restart`
    if (updateAvailable)
      return `${latestVersion} is available (running: ${currentVersion}): reverie upgrade`
    const problem = checkError === undefined ? '' : `\n${colors.yellow('!')} ${toLine(checkError)}`
    return `${currentVersion} runs, and no newer version is known.${problem}`
  })
}

type Run = Awaited<ReturnType<typeof requestRun>>

function requestRun(client: Client, { dryRun = false, to }: UpgradeOptions) {
  const body = { dryRun, ...(to !== undefined && { targetVersion: to }) }
  return client.call('POST /api/update/run', { body, timeoutMs: runTimeoutMs })
}

async function runUpgrade(call: Call<UpgradeOptions>, client: Client): Promise<void> {
  const { options, output } = call
  const run = await followProgress(client, output, requestRun(client, options))
  if (!run.success) throw toRunFailure(run)
  const { installedVersion, restartRequired } = run
  const isPending = restartRequired && installedVersion !== undefined
  const restarted = isPending && options.restart && (await restartWith(call, run, installedVersion))
  output.result({ ...run, restarted }, () => renderRun(run, restarted))
}

/** The phases and the bytes, on stderr. */
async function followProgress(client: Client, output: Output, run: Promise<Run>): Promise<Run> {
  const over = new AbortController()
  const ended = run.finally(() => over.abort())
  // The caller awaits the run itself.
  ended.catch(() => {})
  const bar = await showProgress(output, 'Updating', 0)
  let phase = ''
  while (!over.signal.aborted) {
    await pause(pollMs, undefined, { signal: over.signal }).catch(() => {})
    const progress = over.signal.aborted
      ? undefined
      : await client.call('GET /api/update/status').catch(() => undefined)
    if (!progress || progress.state === phase) continue
    phase = progress.state
    if (phase !== 'idle') output.note(`  ${phase} ${progress.version ?? ''}`)
    bar.advance(1)
  }
  bar.stop()
  return await run
}

function toRunFailure({ errorCode = 'install_failed', message, output }: Run): CliError {
  const end = output === undefined ? '' : `\n${output.split('\n').slice(-12).join('\n')}`
  return new CliError(
    errorCode === 'invalid_target_version' ? 'refused' : 'fault',
    errorCode,
    `${message}${end}`,
    'The running version is unchanged. See docs/operations.md, Update.',
  )
}

/** Rolls back where the new version does not serve. False for a daemon of another machine or folder. */
async function restartWith(
  call: Call<UpgradeOptions>,
  { activeExecutablePath }: Run,
  version: string,
): Promise<boolean> {
  const { environment, output } = call
  const [, script = ''] = process.argv
  const launcher = await realpath(script)
  const isOwn = activeExecutablePath === undefined || activeExecutablePath === launcher
  const running = await findRunning(environment.workspace)
  if (!isOwn || !running) {
    output.note(
      `Restart the daemon where it was started: ${activeExecutablePath ?? 'reverie'} restart`,
    )
    return false
  }
  const quiet = { ...call, output: { ...output, result: () => undefined } }
  await stopDaemon({ ...quiet, options: { timeout: startTimeoutSeconds } })
  const problem = await tryStart(quiet, version)
  if (problem === undefined) return true
  return giveUp(quiet, { root: dirname(dirname(launcher)), version, problem })
}

/** Undefined once a daemon of this version is ready. */
async function tryStart(call: Call<UpgradeOptions>, version: string): Promise<string | undefined> {
  try {
    await startDaemon({ ...call, options: { timeout: startTimeoutSeconds } })
  } catch (error) {
    if (error instanceof CliError) return error.message
    throw error
  }
  const { version: runningVersion } = (await findRunning(call.environment.workspace)) ?? {}
  return runningVersion === version
    ? undefined
    : `the daemon runs ${runningVersion ?? 'no version'}`
}

interface Failed {
  readonly root: string
  readonly version: string
  readonly problem: string
}

async function giveUp(
  call: Call<UpgradeOptions>,
  { root, version, problem }: Failed,
): Promise<never> {
  const isRolledBack = await rollBack(root, version, realHost.now().toISOString())
  if (!isRolledBack)
    throw new CliError(
      'fault',
      'update_not_started',
      `version ${version} did not start, and its migration cannot be undone: ${problem}`,
      'Find the cause with: reverie service logs',
    )
  await stopDaemon({ ...call, options: { timeout: startTimeoutSeconds } })
  await startDaemon({ ...call, options: { timeout: startTimeoutSeconds } })
  throw new CliError(
    'fault',
    'update_rolled_back',
    `version ${version} did not start; the former version runs again: ${problem}`,
    'Find the cause with: reverie service logs',
  )
}

function renderRun({ from, message, steps = [], to }: Run, restarted: boolean): string {
  const mark = colors.green('✓')
  if (restarted)
    return `${mark} ${toLine(message.replace(' and runs after a restart', ' and runs'))}`
  const change = to === undefined ? [] : [`  from ${from} to ${to}`]
  return [`${mark} ${toLine(message)}`, ...change, ...steps.map((step) => `  - ${step}`)].join('\n')
}
