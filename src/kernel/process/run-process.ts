import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import { withTimeout } from '../host/with-timeout.ts'
import { type Capture, captureOutput } from './capture.ts'
import { type ChildLedger, killGroup } from './child-ledger.ts'
import { childEnvironment } from './environment.ts'

export interface ProcessNeeds {
  readonly host: Host
  readonly children: Pick<ChildLedger, 'add'>
}

export interface ProcessRequest {
  /** Why the command runs, for the ledger of children; no arguments, no values. */
  readonly purpose: string
  readonly command: string
  readonly args?: readonly string[]
  readonly cwd?: string
  /** The complete environment of the child. Loader variables are removed. */
  readonly env?: Readonly<Record<string, string>>
  /** Written to standard input, which is closed immediately without input. */
  readonly input?: string
  readonly timeoutMs: number
  /** Maximum size of each output; default 1 MiB. */
  readonly maxOutputBytes?: number
  /** Values that are redacted in the outputs. */
  readonly secrets?: readonly string[]
  /** Receives the redacted outputs within the limit as they arrive. */
  readonly onOutput?: (output: LiveOutput) => void
  readonly signal?: AbortSignal
}

interface LiveOutput {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

interface ProcessResult {
  /** 124 after a timeout, 137 after a signal. */
  readonly code: number
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Sizes of the whole outputs. */
  readonly stdoutBytes: number
  readonly stderrBytes: number
  /** Whether the redacted output exceeds the limit. */
  readonly stdoutTruncated: boolean
  readonly stderrTruncated: boolean
  readonly timedOut: boolean
}

const timedOutCode = 124
const killedCode = 137
const defaultOutputBytes = 1_048_576
/** Time between SIGTERM and SIGKILL, and maximum wait for the outputs after the exit. */
const graceMs = 2_000

/**
 * Runs a command in its own process group and kills the group at the end. Refuses
 * `process_not_started`. Ends early, with the group, when the signal aborts.
 */
export async function runProcess(
  { host, children }: ProcessNeeds,
  request: ProcessRequest,
): Promise<ProcessResult> {
  request.signal?.throwIfAborted()
  const child = await start(request)
  const { maxOutputBytes: bytes = defaultOutputBytes, secrets = [] } = request
  const capture = (stream: 'stdout' | 'stderr') =>
    captureOutput(child[stream], {
      bytes,
      secrets,
      onText: (text) => request.onOutput?.({ stream, text }),
    })
  const [stdout, stderr] = [capture('stdout'), capture('stderr')]
  const exitEvent = once(child, 'exit')
  const entry = children.add({ pid: child.pid ?? 0, purpose: request.purpose })
  feed(child, request.input)

  const over = new AbortController()
  const ended = exitEvent.then(() => over.abort())
  const signal = request.signal ? AbortSignal.any([request.signal, over.signal]) : over.signal
  await host.sleep(request.timeoutMs, signal)
  const timedOut = !signal.aborted
  if (!over.signal.aborted) await end(host, child, over.signal)
  await ended
  // A process left in the group would hold the outputs open and outlive the command.
  killGroup(child.pid, 'SIGKILL')
  await (await entry)()
  await withTimeout(host, graceMs, Promise.all([stdout.ended, stderr.ended]))
  // A process that left the group would hold the outputs open forever.
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

/** A child may exit without reading all its input. */
function feed({ stdin }: ChildProcess, input: string | undefined): void {
  stdin?.on('error', () => {})
  stdin?.end(input)
}

async function end(host: Host, child: ChildProcess, over: AbortSignal): Promise<void> {
  killGroup(child.pid, 'SIGTERM')
  await host.sleep(graceMs, over)
  killGroup(child.pid, 'SIGKILL')
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
  const [out, err] = [stdout.finish(), stderr.finish()]
  return {
    code: timedOut ? timedOutCode : (child.exitCode ?? killedCode),
    signal: child.signalCode,
    stdout: out.text,
    stderr: err.text,
    stdoutBytes: out.bytes,
    stderrBytes: err.bytes,
    stdoutTruncated: out.truncated,
    stderrTruncated: err.truncated,
    timedOut,
  }
}
