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

export async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(files.map(async (file) => stat(join(folder, file))))
  return sizes.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}
