import { setTimeout as pause } from 'node:timers/promises'

export interface Timing {
  readonly count: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}

/** Calls with 0, 1, 2 … from concurrent clients (closed loop): each waits for its reply. */
export async function timeCalls(
  { count, clients }: { readonly count: number; readonly clients: number },
  call: (number: number) => Promise<unknown> | unknown,
): Promise<Timing> {
  const times: number[] = []
  let next = 0
  const client = async () => {
    for (let number = next++; number < count; number = next++) {
      const started = performance.now()
      await call(number)
      times.push(performance.now() - started)
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: clients }, client))
  return toTiming(times, performance.now() - started)
}

interface Pace {
  readonly perSecond: number
  readonly seconds: number
}

/** Calls at a fixed rate (open loop). Latency counts from the scheduled time of a call. */
export async function timeOpenLoop(
  { perSecond, seconds }: Pace,
  call: (number: number) => Promise<unknown>,
): Promise<Timing> {
  const times: number[] = []
  const started = performance.now()
  const answers = Array.from({ length: perSecond * seconds }, async (_, number) => {
    const due = started + (1000 * number) / perSecond
    await pause(Math.max(0, due - performance.now()))
    await call(number)
    times.push(performance.now() - due)
  })
  await Promise.all(answers)
  return toTiming(times, performance.now() - started)
}

export function median(values: readonly number[]): number {
  return percentile(values.toSorted(ascending), 0.5)
}

function toTiming(times: readonly number[], tookMs: number): Timing {
  const sorted = times.toSorted(ascending)
  return {
    count: times.length,
    perSecond: (1000 * times.length) / tookMs,
    p50Ms: percentile(sorted, 0.5),
    p95Ms: percentile(sorted, 0.95),
    p99Ms: percentile(sorted, 0.99),
  }
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

function ascending(a: number, b: number): number {
  return a - b
}
