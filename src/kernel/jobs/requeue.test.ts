import { expect, onTestFinished } from 'vitest'
import { Refusal } from '../errors/refusal.ts'
import { createLog } from '../log/log.ts'
import { testOnEachEngine } from '../testing/engines.ts'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import type { Job } from './job.ts'
import { createJobs } from './jobs.ts'
import { jobsMigrations } from './migrations.ts'
import { insertJob } from './store/jobs.ts'

const onEachEngine = testOnEachEngine(jobsMigrations)

onEachEngine('requeues dead jobs without their dedupe keys', async (db) => {
  const ids = ['owner', 'dead', 'newer'].values()
  const host = { ...manualClockHost(), newId: () => ids.next().value ?? '' }
  const jobs = createJobs({ db, host, log: createLog('silent') })
  onTestFinished(() => jobs.stop(0))
  const gone = new Refusal('gone', 'source_gone', 'The source is gone.')
  jobs.handle({ kind: 'note', run: () => Promise.reject(gone) })
  const enqueue = () => jobs.enqueue(db, { kind: 'note', dedupeKey: 'a' })
  const { id } = await enqueue()
  jobs.start()
  await expect.poll(async () => (await jobs.find(id))?.state).toBe('dead')
  jobs.pause()
  const { id: newer } = await enqueue()

  expect(await jobs.countRepairable(60_000)).toEqual({ dead: 1, stale: 0 })
  expect(await jobs.requeueDead(db, 50)).toBe(1)

  const requeued = { state: 'pending', attempts: 0, reason: null, dedupeKey: null }
  expect(await jobs.find(id)).toMatchObject(requeued)
  expect(await jobs.find(newer)).toMatchObject({ state: 'pending', dedupeKey: 'a' })
})

onEachEngine('releases leases that no daemon renews, by their attempts', async (db) => {
  const host = { ...manualClockHost(), newId: () => 'owner' }
  const jobs = createJobs({ db, host, log: createLog('silent') })
  for (const [id, attempts, updatedAt] of [
    ['retried', 1, '2026-01-02T03:00:00.000Z'],
    ['exhausted', 3, '2026-01-02T03:00:00.000Z'],
    ['renewed', 1, host.now().toISOString()],
  ] as const)
    await insertJob(db, { ...leased, id, attempts, updatedAt })

  // A lease of the year 2027 is left by a clock that was wrong.
  expect(await jobs.countRepairable(200_000)).toEqual({ dead: 0, stale: 2 })
  expect(await jobs.releaseStale(db, 200_000)).toBe(2)
  expect(await jobs.releaseStale(db, 200_000)).toBe(0)

  expect(await jobs.find('retried')).toMatchObject({ state: 'pending', attempts: 1 })
  expect(await jobs.find('exhausted')).toMatchObject({ state: 'dead', reason: 'lease_released' })
  expect(await jobs.find('renewed')).toMatchObject({ state: 'leased' })
})

const leased: Job = {
  id: '',
  kind: 'note',
  payload: null,
  state: 'leased',
  priority: 0,
  attempts: 1,
  maxAttempts: 3,
  runAfter: '2026-01-02T03:00:00.000Z',
  leaseUntil: '2027-01-02T03:00:00.000Z',
  leaseOwner: 'dead daemon',
  reason: null,
  dedupeKey: null,
  agentId: null,
  subject: null,
  createdAt: '2026-01-02T03:00:00.000Z',
  updatedAt: '2026-01-02T03:00:00.000Z',
}
