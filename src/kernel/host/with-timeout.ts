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
