import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type DaemonProcess, launchDaemon } from '../../test/support/daemon-process.ts'

/** Runs a benchmark in a temporary workspace. */
export async function inWorkspace(measure: (workspace: string) => Promise<void>): Promise<void> {
  const workspace = await mkdtemp(join(tmpdir(), 'reverie-bench-'))
  try {
    await measure(workspace)
  } finally {
    await rm(workspace, { recursive: true })
  }
}

/** The folder after `--embedding`, if the command names one. */
export function readEmbeddingFolder(args: readonly string[]): string | undefined {
  const at = args.indexOf('--embedding')
  if (at < 0) return undefined
  const folder = args[at + 1]
  if (folder === undefined) throw new Error('--embedding needs a folder.')
  return resolve(folder)
}

/** Uses the ONNX model of a folder. Saves and recalls wait for it. */
export async function configureEmbedding(workspace: string, folder: string): Promise<void> {
  const embedding = { provider: 'onnx', model: folder, budget_ms: 10_000, query_timeout_ms: 10_000 }
  await writeFile(join(workspace, 'agent.yaml'), JSON.stringify({ embedding }))
}

/** Starts a daemon in local mode with minimal logging. Returns the time until it was ready. */
export async function start(
  workspace: string,
): Promise<{ readonly daemon: DaemonProcess; readonly startMs: number }> {
  const started = performance.now()
  const daemon = await launchDaemon({ workspace })
  return { daemon, startMs: performance.now() - started }
}

export async function stop(daemon: DaemonProcess): Promise<void> {
  daemon.signal('SIGTERM')
  await daemon.ended
}

/** Resident memory in MB, where the system reports it. */
export async function readResidentMb({ pid }: DaemonProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(?<kb>\d+)/.exec(status)?.groups?.['kb'] ?? Number.NaN) / 1024
}

/** CPU time of all threads in ticks of 10 ms, where the system reports it. */
export async function readCpuMs({ pid }: DaemonProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name in parentheses may contain spaces. User and system time are fields 12 and 13 after it.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return 10 * (Number(user) + Number(system))
}

export async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(files.map(async (file) => stat(join(folder, file))))
  return sizes.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}
