import { limitHeapGrowth } from './release-memory.ts'

if (process.argv[2] === 'limited') limitHeapGrowth()

/** 30 MB of live objects, which are replaced twenty times. V8 learns its limits from the first ones. */
const live: object[] = []
const maxLive = 300_000
let maxBytes = 0
for (let at = 0; at < 20 * maxLive; at++) {
  live[at % maxLive] = { at, text: [at, at, at, at] }
  if (at % 10_000 !== 0 || at < 10 * maxLive) continue
  maxBytes = Math.max(maxBytes, process.memoryUsage().heapUsed)
}
process.stdout.write(String(maxBytes))
