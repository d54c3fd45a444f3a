import { threadId } from 'node:worker_threads'

/** Functions that the tests run in a thread. */
export function add({ one, other }: { readonly one: number; readonly other: number }): number {
  return one + other
}

export function fail(): never {
  throw new RangeError('out of range')
}

export function hang(): Promise<never> {
  return new Promise(() => {})
}

/** Returns a different number in each thread. */
export function identify(): number {
  return threadId
}
