/** The clock alone, for threads that should not load the id generator of `Host`. */
export function readClock(): Date {
  return new Date()
}
