import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DaemonProcess, launchDaemon } from '../../test/support/daemon-process.ts'

/** A workspace of its own for as long as the measuring takes. */
export async function inWorkspace(measure: (workspace: string) => Promise<void>): Promise<void> {
  const workspace = await mkdtemp(join(tmpdir(), 'reverie-bench-'))
  try {
    await measure(workspace)
  } finally {
    await rm(workspace, { recursive: true })
  }
}

/** In local mode, and quiet; gives how long it took until it was ready to be asked. */
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

/** Resident memory in MB, where the system tells. */
export async function readResidentMb({ pid }: DaemonProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(?<kb>\d+)/.exec(status)?.groups?.['kb'] ?? Number.NaN) / 1024
}

/** Processor time of all its threads so far, in ticks of 10 ms, where the system tells. */
export async function readCpuMs({ pid }: DaemonProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name in brackets may hold anything; user and system time stand 12th and 13th behind it.
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
