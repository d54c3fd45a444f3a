import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/*
 * Preloaded into a daemon. On SIGUSR2 it prints the 99th percentile of the event-loop delays since the
 * last signal.
 */
if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  process.on('SIGUSR2', () => {
    process.stdout.write(`delayed by ${(delays.percentile(99) / 1e6).toFixed(2)} ms\n`)
    delays.reset()
  })
}
