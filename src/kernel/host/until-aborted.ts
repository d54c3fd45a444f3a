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
