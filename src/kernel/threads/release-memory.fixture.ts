import { releaseMemoryWhenIdle } from './release-memory.ts'

/** Creates garbage, then stays idle until it is terminated. */
releaseMemoryWhenIdle()
for (let turn = 0; turn < 20; turn++) Array.from({ length: 100_000 }, () => ({}))
setInterval(() => {}, 60_000)
