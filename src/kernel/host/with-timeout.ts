import type { Host } from './host.ts'

/**
 * Returns the result, or undefined after the timeout. The work is not cancelled and its outcome is
 * ignored.
 */
export async function withTimeout<Result>(
  { sleep }: Pick<Host, 'sleep'>,
  ms: number,
  work: Promise<Result>,
): Promise<Result | undefined> {
  const inTime = new AbortController()
  const late = sleep(ms, inTime.signal).then(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    // An explicit reason avoids the cost of creating an AbortError.
    inTime.abort('in time')
  }
}

/**
 * Returns the result, or undefined once the signal aborts. The work is not cancelled and its
 * outcome
 * is ignored. No listener remains on the signal, which may live longer.
 */
export async function untilAborted<Result>(
  signal: AbortSignal,
  work: Promise<Result>,
): Promise<Result | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>()
  const leave = () => resolve(undefined)
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
