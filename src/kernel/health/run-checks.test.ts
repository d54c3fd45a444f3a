import { expect, test } from 'vitest'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { toHealth } from './health.ts'
import { runChecks } from './run-checks.ts'

test('a check that fails or hangs is reported and does not affect other checks', async () => {
  const host = manualClockHost()
  const running = runChecks(host, [
    { name: 'queue', check: async () => toHealth([], { depth: 0 }) },
    { name: 'model', check: async () => toHealth([false, 'it is slow', undefined]) },
    { name: 'index', check: () => Promise.reject(new Error('no table')) },
    { name: 'remote', check: () => new Promise(() => {}) },
  ])
  await expect.poll(() => host.sleeps()).toHaveLength(1)
  host.advance(2_000)

  expect(await running).toEqual({
    queue: { status: 'ok', reasons: [], details: { depth: 0 } },
    model: { status: 'degraded', reasons: ['it is slow'], details: {} },
    index: { status: 'unknown', reasons: ['its check failed: no table'], details: {} },
    remote: { status: 'unknown', reasons: ['its check takes too long'], details: {} },
  })
})
