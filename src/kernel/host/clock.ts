/** The time, for threads that need no more of a `Host` and should not load what makes ids. */
export function readClock(): Date {
  return new Date()
}
