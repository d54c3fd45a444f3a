import { getHeapSpaceStatistics } from 'node:v8'
import { isMainThread, Worker } from 'node:worker_threads'
import { limitHeapGrowth } from './release-memory.ts'

/** Bytes of the young generation of a thread with a limit of 3 MB. */
if (isMainThread) {
  if (process.argv[2] === 'limited') limitHeapGrowth()
  new Worker(new URL(import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 3 } })
} else {
  const live: object[] = []
  let maxBytes = 0
  for (let at = 0; at < 1_000_000; at++) {
    live[at % 50_000] = { at, text: [at, at, at, at] }
    if (at % 10_000 !== 0) continue
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    maxBytes = Math.max(maxBytes, young?.space_size ?? 0)
  }
  process.stdout.write(String(maxBytes))
}
