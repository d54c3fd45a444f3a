import { setTimeout as pause } from 'node:timers/promises'
import type { DaemonProcess } from '../../test/support/daemon-process.ts'

/** Variables of a daemon whose event loop is watched. */
export const watchLoop = {
  NODE_OPTIONS: `--import=${new URL('watch-loop.ts', import.meta.url).href}`,
}

/** The longest block of the event loop since the last call, in CPU time. */
export async function readMaxBlockMs(daemon: DaemonProcess): Promise<number> {
  const before = count(daemon)
  daemon.signal('SIGUSR2')
  while (count(daemon) === before) await pause(5)
  return Number(/held for (?<ms>[\d.]+) ms\s*$/.exec(daemon.output())?.groups?.['ms'])
}

function count(daemon: DaemonProcess): number {
  return daemon.output().split('held for').length
}
