import { releaseMemoryWhenIdle } from './release-memory.ts'

/** Leaves garbage behind, then does nothing until it is ended. */
releaseMemoryWhenIdle()
for (let turn = 0; turn < 20; turn++) Array.from({ length: 100_000 }, () => ({}))
setInterval(() => {}, 60_000)
