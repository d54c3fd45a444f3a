import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import { withTimeout } from '../host/with-timeout.ts'
import { type Capture, captureOutput } from './capture.ts'
import { childEnvironment } from './environment.ts'

export interface ProcessRequest {
  readonly command: string
  readonly args?: readonly string[]
  readonly cwd?: string
  /** All that the child finds in its environment, but for loader variables: those never pass. */
  readonly env?: Readonly<Record<string, string>>
  /** Written to standard input, which is closed at once when there is none. */
  readonly input?: string
  readonly timeoutMs: number
  /** Of each of the two outputs; 1 MiB unless said otherwise. */
  readonly outputAtMostBytes?: number
  /** Values that no output may show. */
  readonly secrets?: readonly string[]
  readonly signal?: AbortSignal
}

interface ProcessResult {
  /** 124 when it ran out of time, 137 when a signal ended it. */
  readonly code: number
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Some output was left out. */
  readonly truncated: boolean
  readonly timedOut: boolean
}

const timedOutCode = 124
const killedCode = 137
const ordinaryOutputBytes = 1_048_576
/** Between the request to end and the end by force, and how long the outputs may stay open after it. */
const graceMs = 2_000

/**
 * Runs a command in a process group of its own, and leaves none of the group behind. Refuses
 * `process_not_started`; ends early, with the group, when the signal is aborted.
 */
export async function runProcess(host: Host, request: ProcessRequest): Promise<ProcessResult> {
  request.signal?.throwIfAborted()
  const child = await start(request)
  const { outputAtMostBytes: bytes = ordinaryOutputBytes, secrets = [] } = request
  const stdout = captureOutput(child.stdout, { bytes, secrets })
  const stderr = captureOutput(child.stderr, { bytes, secrets })
  const exited = once(child, 'exit')
  feed(child, request.input)

  const over = new AbortController()
  const ended = exited.then(() => over.abort())
  const signal = request.signal ? AbortSignal.any([request.signal, over.signal]) : over.signal
  await host.sleep(request.timeoutMs, signal)
  const timedOut = !signal.aborted
  if (!over.signal.aborted) await end(host, child, over.signal)
  await ended
  // Whoever is left of the group would hold the outputs open, and outlive its command.
  killGroup(child, 'SIGKILL')
  await withTimeout(host, graceMs, Promise.all([stdout.ended, stderr.ended]))
  // Who has left the group would hold them open for ever.
  stdout.close()
  stderr.close()
  return toResult({ child, timedOut, stdout, stderr })
}

async function start({ command, args = [], cwd, env = {} }: ProcessRequest): Promise<ChildProcess> {
  const child = spawn(command, args, {
    ...(cwd !== undefined && { cwd }),
    env: childEnvironment(env),
    detached: true,
    stdio: 'pipe',
    windowsHide: true,
  })
  try {
    await once(child, 'spawn')
    return child
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new Refusal('unavailable', 'process_not_started', 'The command did not start.', { why })
  }
}

/** A child that does not read its input to the end is not at fault. */
function feed({ stdin }: ChildProcess, input: string | undefined): void {
  stdin?.on('error', () => {})
  stdin?.end(input)
}

async function end(host: Host, child: ChildProcess, over: AbortSignal): Promise<void> {
  killGroup(child, 'SIGTERM')
  await host.sleep(graceMs, over)
  killGroup(child, 'SIGKILL')
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && isGone(error.code))) throw error
  }
}

/** The second is how some systems answer for a group of which only ended processes are left. */
function isGone(code: unknown): boolean {
  return code === 'ESRCH' || code === 'EPERM'
}

function toResult({
  child,
  timedOut,
  stdout,
  stderr,
}: {
  readonly child: ChildProcess
  readonly timedOut: boolean
  readonly stdout: Capture
  readonly stderr: Capture
}): ProcessResult {
  return {
    code: timedOut ? timedOutCode : (child.exitCode ?? killedCode),
    signal: child.signalCode,
    stdout: stdout.text(),
    stderr: stderr.text(),
    truncated: stdout.truncated() || stderr.truncated(),
    timedOut,
  }
}
