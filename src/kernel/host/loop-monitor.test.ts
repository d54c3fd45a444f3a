import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createLoopMonitor } from './loop-monitor.ts'

function block(ms: number) {
  const until = process.hrtime.bigint() + BigInt(ms) * 1_000_000n
  while (process.hrtime.bigint() < until);
}

function start() {
  const monitor = createLoopMonitor()
  onTestFinished(() => monitor.stop())
  return monitor
}

const named = (monitor: ReturnType<typeof start>) =>
  expect.poll(() => monitor.read().slowest?.operation, { timeout: 5000 })

test('names the operation that blocked the loop before its first await', async () => {
  const monitor = start()
  const other = monitor.track('other', () => pause(300))
  await monitor.track('greedy', async () => block(200))

  await named(monitor).toBe('greedy')
  expect(monitor.read().maxMs).toBeGreaterThanOrEqual(150)
  await other
})

test('names all running operations when the loop was blocked after an await', async () => {
  const monitor = start()
  const greedy = monitor.track('greedy', async () => {
    await pause(1)
    block(200)
  })
  await Promise.all([greedy, monitor.track('other', () => pause(400))])

  await named(monitor).toBe('greedy | other')
})

test('attributes work without an operation to the background', async () => {
  const monitor = start()
  await pause(1)
  block(200)

  await named(monitor).toBe('background')
})
