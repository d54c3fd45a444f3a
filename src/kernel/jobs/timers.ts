import { Cron } from 'croner'
import { messageOf } from '../errors/system-error.ts'
import type { Host } from '../host/host.ts'
import type { Log } from '../log/log.ts'

export interface Timers {
  /**
   * Runs at each time of a cron expression (local time), or this many milliseconds after the last
   * run.
   * An interval timer first runs within ten minutes, because a daemon may not run for a whole
   * interval.
   */
  every(name: string, when: string | number, run: (signal: AbortSignal) => Promise<unknown>): void
  /** Starts no more runs, aborts the signal of the running ones and waits for them. */
  stop(): Promise<void>
}

interface Timer {
  readonly name: string
  readonly run: (signal: AbortSignal) => Promise<unknown>
}

/** Runs of a timer never overlap: a time during a run is skipped. */
export function createTimers({ host, log }: { readonly host: Host; readonly log: Log }): Timers {
  const stopping = new AbortController()
  const { signal } = stopping
  const loops: Promise<void>[] = []
  const lastFaults = new Map<string, string>()

  const runOnce = async ({ name, run }: Timer) => {
    try {
      await run(signal)
      lastFaults.delete(name)
    } catch (error) {
      const fault = messageOf(error)
      // A repeated fault is logged once.
      if (lastFaults.get(name) !== fault) log.error({ err: error, timer: name }, 'timer failed')
      lastFaults.set(name, fault)
    }
  }
  const loop = async (timer: Timer, nextDelayMs: () => number | undefined) => {
    for (let ms = nextDelayMs(); ms !== undefined && !signal.aborted; ms = nextDelayMs()) {
      await sleepLong(host, ms, signal)
      if (!signal.aborted) await runOnce(timer)
    }
  }
  return {
    every: (name, when, run) => loops.push(loop({ name, run }, createDelays(host, when))),
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

const firstWithinMs = 10 * 60_000

/** Returns undefined when a cron expression has no further time. Throws for an invalid one. */
function createDelays(host: Host, when: string | number): () => number | undefined {
  if (typeof when === 'number') {
    const first = [Math.min(when, firstWithinMs)]
    return () => first.pop() ?? when
  }
  const cron = new Cron(when, { paused: true })
  return () => {
    const now = host.now()
    const next = cron.nextRun(now)
    return next ? next.getTime() - now.getTime() : undefined
  }
}

/** Node timers are limited to 2³¹ ms (about 24 days). Longer ones fire immediately. */
async function sleepLong(host: Host, ms: number, signal: AbortSignal): Promise<void> {
  const maxMs = 2 ** 31 - 1
  for (let rest = ms; rest > 0 && !signal.aborted; rest -= maxMs)
    await host.sleep(Math.min(rest, maxMs), signal)
}
