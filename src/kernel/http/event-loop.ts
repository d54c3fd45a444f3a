import type { LoopReport } from '../host/loop-monitor.ts'

/** Event-loop delays of the health replies, in milliseconds. */
export function toEventLoop({ p50Ms, p99Ms, maxMs, slowest }: LoopReport) {
  return { p50: p50Ms, p99: p99Ms, max: maxMs, slowest: slowest?.operation ?? null }
}
