import { expect, test } from 'vitest'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import type { SourceEntry } from '../source.ts'
import { createScheduler } from './scheduler.ts'

const source = (change: Partial<SourceEntry> = {}): SourceEntry => ({
  id: 'web:1',
  kind: 'web',
  name: 'Guide',
  root: 'https://site.example/',
  enabled: true,
  mode: 'read-only',
  createdAt: '',
  updatedAt: '',
  excludeGlobs: [],
  generation: 'g',
  providerSettings: { agentId: 'ada' },
  ...change,
})

/** A scheduler whose runs end when the test says so. */
function createScheduled() {
  const runs: { readonly source: SourceEntry; readonly end: () => void }[] = []
  const scheduler = createScheduler({
    host: fixedHost(),
    run: async (source) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      runs.push({ source, end: resolve })
      await promise
      return { status: 'complete' }
    },
    onChange: () => {},
  })
  const begun = (count: number) => expect.poll(() => runs.length).toBe(count)
  return { scheduler, runs, begun }
}

test('settings that change during a run are read by one run after it', async () => {
  const { scheduler, runs, begun } = createScheduled()
  const first = scheduler.enqueue(source())
  await begun(1)

  expect(scheduler.enqueue(source({ name: 'Other' })).id).toBe(first.id)
  expect(scheduler.enqueue(source({ name: 'Manual', updatedAt: 'later' })).id).toBe(first.id)
  runs[0]?.end()
  await begun(2)
  expect(runs[1]?.source.name).toBe('Manual')
  runs[1]?.end()
  await scheduler.settled('web:1')
  expect(scheduler.history('web:1')).toHaveLength(2)
})

test('a request with the same settings joins the active run', async () => {
  const { scheduler, runs, begun } = createScheduled()
  scheduler.enqueue(source())
  await begun(1)
  scheduler.enqueue(source({ updatedAt: 'later', lastIndexedAt: 'now' }))
  runs[0]?.end()
  await scheduler.settled('web:1')
  expect(runs).toHaveLength(1)
  expect(scheduler.find('web:1')).toMatchObject({ status: 'complete' })
})

test('a cancelled run has none after it', async () => {
  const { scheduler, runs, begun } = createScheduled()
  scheduler.enqueue(source())
  await begun(1)
  scheduler.enqueue(source({ name: 'Other' }))
  await scheduler.cancel('web:1', 'paused')
  runs[0]?.end()
  await scheduler.settled('web:1')
  expect(runs).toHaveLength(1)
  expect(scheduler.find('web:1')).toMatchObject({ status: 'paused' })
})
