import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into a daemon before it starts: tells on SIGUSR2 how long its event loop was held longest since
 * the last time, in processor time of the main thread: others on the machine do not count.
 */
if (isMainThread) {
  const seen = { atMs: readMs(), longestMs: 0 }
  setInterval(() => {
    const atMs = readMs()
    seen.longestMs = Math.max(seen.longestMs, atMs - seen.atMs)
    seen.atMs = atMs
  }, 1).unref()
  process.on('SIGUSR2', () => {
    process.stdout.write(`held for ${seen.longestMs.toFixed(1)} ms\n`)
    seen.longestMs = 0
  })
}

function readMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
