import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks'

/** Event-loop delays of the last minute. */
interface LoopReport {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** The operation that blocked the loop longest, when known. */
  readonly slowest: BlockedOperation | null
}

interface BlockedOperation {
  /** The measured operation; otherwise all running operations, joined by ` | `. */
  readonly operation: string
  readonly ms: number
  readonly at: string
}

export interface LoopMonitor {
  /**
   * Runs the work under this name. Its first synchronous part is measured. Later parts make it a
   * suspect when the loop was delayed while it ran. `onEnded` receives its duration.
   */
  track<Result>(
    operation: string,
    run: () => Promise<Result>,
    onEnded?: (ms: number) => void,
  ): Promise<Result>
  read(): LoopReport
  stop(): void
}

/** Blamed when no operation was running: timers, parsing, garbage collection. */
const backgroundOperation = 'background'
const tickMs = 20
const sliceMs = 10_000
const maxSlices = 6
const minuteMs = (maxSlices - 1) * sliceMs
/** Shorter delays are jitter of the timer. */
const minReportedMs = 5
const maxSuspects = 5

interface Slice {
  readonly delays: RecordableHistogram
  readonly endsAt: number
  slowest: BlockedOperation | null
}

export function createLoopMonitor(): LoopMonitor {
  const slices: Slice[] = []
  const suspects = createSuspects()
  let expectedAt = performance.now() + tickMs

  const currentSlice = (now: number): Slice => {
    const last = slices.at(-1)
    if (last && now < last.endsAt) return last
    const slice = { delays: createHistogram(), endsAt: now + sliceMs, slowest: null }
    slices.push(slice)
    if (slices.length > maxSlices) slices.shift()
    return slice
  }

  const tick = () => {
    const now = performance.now()
    const lateMs = Math.max(0, now - expectedAt)
    expectedAt = now + tickMs
    const slice = currentSlice(now)
    slice.delays.record(Math.max(1, Math.round(lateMs * 1000)))
    const operation = suspects.blame(lateMs)
    if (lateMs > Math.max(minReportedMs, slice.slowest?.ms ?? 0))
      slice.slowest = { operation, ms: round(lateMs), at: new Date().toISOString() }
  }
  const timer = setInterval(tick, tickMs).unref()

  return {
    track: async (operation, run, onEnded) => {
      const leave = suspects.enter(operation)
      const from = performance.now()
      try {
        const running = run()
        suspects.measure(operation, performance.now() - from)
        return await running
      } finally {
        leave()
        onEnded?.(performance.now() - from)
      }
    },
    read: () => summarise(slices.filter(({ endsAt }) => performance.now() < endsAt + minuteMs)),
    stop: () => clearInterval(timer),
  }
}

function summarise(slices: readonly Slice[]): LoopReport {
  const all = createHistogram()
  for (const { delays } of slices) all.add(delays)
  const slowest = slices.flatMap((slice) => slice.slowest ?? []).sort((a, b) => b.ms - a.ms)[0]
  if (all.count === 0) return { p50Ms: 0, p99Ms: 0, maxMs: 0, slowest: null }
  const toMs = (microseconds: number) => round(microseconds / 1000)
  return {
    p50Ms: toMs(all.percentile(50)),
    p99Ms: toMs(all.percentile(99)),
    maxMs: toMs(all.max),
    slowest: slowest ?? null,
  }
}

/** Tracks the operations that ran since the last punctual tick, and the longest measured part. */
function createSuspects() {
  const runningOperations = new Map<string, number>()
  const operations = new Set<string>()
  let slowestPart = { operation: backgroundOperation, ms: 0 }

  return {
    enter: (operation: string) => {
      runningOperations.set(operation, (runningOperations.get(operation) ?? 0) + 1)
      if (operations.size < maxSuspects) operations.add(operation)
      return () => {
        const left = (runningOperations.get(operation) ?? 1) - 1
        if (left > 0) runningOperations.set(operation, left)
        else runningOperations.delete(operation)
      }
    },
    measure: (operation: string, ms: number) => {
      if (ms > slowestPart.ms) slowestPart = { operation, ms }
    },
    blame: (lateMs: number): string => {
      const blockingOperation =
        slowestPart.ms > 0 && slowestPart.ms >= lateMs / 2
          ? slowestPart.operation
          : [...operations].join(' | ') || backgroundOperation
      slowestPart = { operation: backgroundOperation, ms: 0 }
      operations.clear()
      for (const operation of [...runningOperations.keys()].slice(0, maxSuspects))
        operations.add(operation)
      return blockingOperation
    },
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** Event-loop delays of the health replies, in milliseconds. */
export function toEventLoop({ p50Ms, p99Ms, maxMs, slowest }: LoopReport) {
  return { p50: p50Ms, p99: p99Ms, max: maxMs, slowest: slowest?.operation ?? null }
}
