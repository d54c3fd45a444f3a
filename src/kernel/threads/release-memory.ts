import { Script } from 'node:vm'

/** V8 treats a thread without this signal for 107 s as busy again. */
const intervalMs = 60_000

/**
 * Makes V8 return the memory of garbage to the system some seconds after this thread becomes idle.
 * V8 of Node 24 and 26 waits for minutes or forever: it assumes that a C++ heap without allocations
 * grows at the maximum rate. Compiling a script allocates there.
 */
export function releaseMemoryWhenIdle(): void {
  const signalActivity = () => new Script('')
  signalActivity()
  setInterval(signalActivity, intervalMs).unref()
}
