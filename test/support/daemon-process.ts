import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import about from '../../package.json' with { type: 'json' }
import { semiSpaceFlag } from '../../src/surfaces/cli/daemon-process.ts'
import { reapLater } from './reaper.ts'
import { homeVariables } from './test-home.ts'

const [, ...asNpmStarts] = about.scripts.start.split(' ')

export interface LaunchOptions {
  readonly workspace: string
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Flags of Node. By default the one of a daemon, with which it does not restart itself. */
  readonly flags?: readonly string[]
  /** Shell words before the daemon, such as a limit: `ulimit -f 2048;`. */
  readonly limit?: string | undefined
}

/** One run of the built daemon, from start to end. */
export interface DaemonProcess {
  readonly url: string
  readonly pid: number | undefined
  /** Output so far, both streams. */
  output(): string
  /** Sends the signal without waiting. */
  signal(name: NodeJS.Signals): void
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

export interface FailedStart {
  readonly code: number | NodeJS.Signals | null
  readonly output: string
}

const maxOutputLength = 4_000_000
/** A daemon that is not ready by then is aborted, and its output is shown. */
const maxStartMs = 50_000

/** Starts the built daemon and waits until it is ready. */
export async function launchDaemon(options: LaunchOptions): Promise<DaemonProcess> {
  const { url, ...daemon } = spawnDaemon(options)
  const late = setTimeout(() => daemon.signal('SIGABRT'), maxStartMs)
  const address = await url
  const isReady = address !== undefined && (await waitUntilReady(address, daemon.ended))
  clearTimeout(late)
  if (isReady) return { ...daemon, url: address }
  const code = await daemon.ended
  throw new Error(`The daemon ended with ${code} before it was ready.\n${daemon.output()}`)
}

/** Starts a daemon that must fail; returns how it ended, or throws if it listens. */
export async function launchFailing(options: LaunchOptions): Promise<FailedStart> {
  const { url, ended, output, signal } = spawnDaemon(options)
  const address = await url
  if (address !== undefined) signal('SIGKILL')
  const code = await ended
  if (address !== undefined) throw new Error(`The daemon came up after all.\n${output()}`)
  return { code, output: output() }
}

/** Starts the daemon and kills it at an unknown stage. */
export async function launchAndKill(options: LaunchOptions, afterMs: number): Promise<void> {
  const { signal, ended } = spawnDaemon(options)
  await Promise.race([pause(afterMs), ended])
  signal('SIGKILL')
  await ended
}

/** Starts the daemon and stops it as soon as a condition holds; returns how it ended. */
export async function launchAndStop(
  options: LaunchOptions,
  isSo: () => boolean,
): Promise<number | NodeJS.Signals | null> {
  const { signal, ended } = spawnDaemon(options)
  const over = { yet: false }
  void ended.then(() => Object.assign(over, { yet: true }))
  while (!isSo() && !over.yet) await pause(1)
  signal('SIGTERM')
  return await ended
}

function spawnDaemon({ workspace, env, limit, flags = [semiSpaceFlag] }: LaunchOptions) {
  const own = { SVC_PATH: workspace, SVC_PORT: '0' }
  const settings = { ...process.env, ...homeVariables, ...own, ...env }
  const command = [process.execPath, ...flags, ...asNpmStarts]
  const [program = '', ...words] = limit
    ? ['/bin/sh', '-c', `${limit} exec "$@"`, 'sh', ...command]
    : command
  const child = spawn(program, words, { env: settings, stdio: ['ignore', 'pipe', 'pipe'] })
  const forget = child.pid === undefined ? undefined : reapLater(child.pid)
  let written = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      written = (written + text).slice(-maxOutputLength)
    })
  const ended = once(child, 'close').then(([code, signal]) => {
    forget?.()
    return (code ?? signal) as number | NodeJS.Signals | null
  })
  return {
    url: readUrl(child),
    pid: child.pid,
    output: () => written,
    signal: (name: NodeJS.Signals) => {
      child.kill(name)
    },
    ended,
  }
}

/** Undefined if the daemon ends before it listens. */
async function readUrl({ stdout }: ChildProcess): Promise<string | undefined> {
  if (!stdout) throw new Error('The daemon has no output.')
  const lines = createInterface(stdout)
  const found = Promise.withResolvers<string | undefined>()
  lines.on('line', (line) => {
    const url = /listening at (?<url>http:[^"\s]+)/.exec(line)?.groups?.['url']
    if (url) found.resolve(url)
  })
  lines.on('close', () => found.resolve(undefined))
  return await found.promise
}

/** False if the daemon ends first. */
async function waitUntilReady(url: string, ended: Promise<unknown>): Promise<boolean> {
  let over = false
  void ended.then(() => {
    over = true
  })
  while (!over) {
    const status = await fetch(`${url}/health/ready`).then(
      (reply) => reply.status,
      () => undefined,
    )
    if (status !== undefined && status !== 503) return true
    await pause(20)
  }
  return false
}
