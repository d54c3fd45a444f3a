import { isMainThread } from 'node:worker_threads'

/*
 * Preloaded into a daemon. On SIGUSR2 it prints the longest event-loop block since the last signal,
 * in
 * CPU time of the main thread, which excludes other processes.
 */
if (isMainThread) {
  const seen = { atMs: readMs(), maxBlockMs: 0 }
  setInterval(() => {
    const atMs = readMs()
    seen.maxBlockMs = Math.max(seen.maxBlockMs, atMs - seen.atMs)
    seen.atMs = atMs
  }, 1).unref()
  process.on('SIGUSR2', () => {
    process.stdout.write(`held for ${seen.maxBlockMs.toFixed(1)} ms\n`)
    seen.maxBlockMs = 0
  })
}

function readMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
