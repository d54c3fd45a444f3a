import { Script } from 'node:vm'

/** A thread of which V8 has seen no such sign for 107 s is a busy one again. */
const everyMs = 60_000

/**
 * Lets V8 give the room of garbage back to the system some seconds after this thread fell quiet.
 * The one of Node 24 and 26 waits for minutes or for ever: it takes a heap of C++ objects where
 * nothing was ever allocated for one that grows as fast as can be. A script is allocated there.
 */
export function releaseMemoryWhenIdle(): void {
  const giveSign = () => new Script('')
  giveSign()
  setInterval(giveSign, everyMs).unref()
}
