import { Cron } from 'croner'
import type { Host } from '../host/host.ts'
import type { Log } from '../log/log.ts'

export interface Timers {
  /**
   * Runs at each time of a cron line (local time), or so many milliseconds after the last run, and the
   * first time some minutes after the start: what is seldom done is done where nothing runs for long.
   */
  every(name: string, when: string | number, run: (signal: AbortSignal) => Promise<unknown>): void
  /** Begins nothing more, tells what runs by its signal, and waits for it. */
  stop(): Promise<void>
}

interface Timer {
  readonly name: string
  readonly run: (signal: AbortSignal) => Promise<unknown>
}

/** A timer never runs twice at once: a time that comes while it still runs is skipped. */
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
      const fault = error instanceof Error ? error.message : String(error)
      // The same fault each minute says nothing new.
      if (lastFaults.get(name) !== fault) log.error({ err: error, timer: name }, 'timer failed')
      lastFaults.set(name, fault)
    }
  }
  const loop = async (timer: Timer, restMs: () => number | undefined) => {
    for (let ms = restMs(); ms !== undefined && !signal.aborted; ms = restMs()) {
      await sleepLong(host, ms, signal)
      if (!signal.aborted) await runOnce(timer)
    }
  }
  return {
    every: (name, when, run) => loops.push(loop({ name, run }, restOf(host, when))),
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

const firstWithinMs = 10 * 60_000

/** Undefined when a cron line has no further time. Refuses a line that is none. */
function restOf(host: Host, when: string | number): () => number | undefined {
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

/** The engine's timers count to 2³¹ ms, some 24 days, and end at once beyond that. */
async function sleepLong(host: Host, ms: number, signal: AbortSignal): Promise<void> {
  const longest = 2 ** 31 - 1
  for (let rest = ms; rest > 0 && !signal.aborted; rest -= longest)
    await host.sleep(Math.min(rest, longest), signal)
}
