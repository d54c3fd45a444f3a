import type { Host } from './host.ts'

export interface Measurement<Value> {
  /** The last figures; the first call measures. A failed measurement is repeated by the next call. */
  read(): Promise<Measured<Value>>
  /** Measures again. Calls during a measurement join it. */
  refresh(): Promise<Measured<Value>>
}

interface Measured<Value> {
  readonly value: Value
  /** ISO time. */
  readonly measuredAt: string
}

/** Figures that are too expensive for a request, measured by a timer. */
export function createMeasurement<Value>(
  host: Pick<Host, 'now'>,
  measure: () => Promise<Value>,
): Measurement<Value> {
  const state: { last?: Measured<Value>; running?: Promise<Measured<Value>> } = {}
  const run = async () => {
    try {
      const value = await measure()
      state.last = { value, measuredAt: host.now().toISOString() }
      return state.last
    } finally {
      delete state.running
    }
  }
  const refresh = () => {
    state.running ??= run()
    return state.running
  }
  return { read: async () => state.last ?? (await refresh()), refresh }
}
