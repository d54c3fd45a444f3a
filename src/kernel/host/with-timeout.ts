import type { Host } from './host.ts'

/** The result, or undefined when the work takes longer: it is not cancelled, and its end is ignored. */
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
    // With a reason of its own it makes no error, which is dear.
    inTime.abort('in time')
  }
}
