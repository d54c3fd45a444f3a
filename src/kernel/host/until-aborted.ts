/**
 * The result, or undefined once the signal is aborted: the work is not cancelled, and its end is
 * ignored. Nothing stays on the signal, which may outlive many such works.
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
