import { setFlagsFromString } from 'node:v8'
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

/**
 * Makes V8 collect the garbage of this process when a heap has grown by half. By default a heap of a busy
 * thread may become four times as large as its live objects. New threads have limits of their own.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50')
  // The flag of the command line would replace the limits of threads.
  setFlagsFromString('--max-semi-space-size=0')
}

/**
 * Frees bytes that are not needed any more. V8 tolerates 64 MB of such garbage before it collects. Bytes
 * that share their memory with others stay.
 */
export function releaseBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
