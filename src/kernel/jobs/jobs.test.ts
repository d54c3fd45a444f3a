import { expect, onTestFinished, test } from 'vitest'
import type { Db } from '../db/database.ts'
import { transaction } from '../db/transaction.ts'
import { Refusal } from '../errors/refusal.ts'
import { createLog } from '../log/log.ts'
import { testOnEachEngine } from '../testing/engines.ts'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { backoffMs } from './job.ts'
import { createJobs } from './jobs.ts'
import type { JobKind, Task } from './kind.ts'
import { jobsMigrations } from './migrations.ts'

/** An overloaded machine is slow. */
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 10_000 })

const onEachEngine = testOnEachEngine(jobsMigrations)
const log = createLog('silent')
const minuteMs = 60_000
const dayMs = 86_400_000

/** Each instance on the same database acts as a separate daemon. */
function daemon(db: Db, host = manualClockHost(), slots = 4) {
  const jobs = createJobs({ db, host: { ...host, newId: nextId }, log, slots })
  onTestFinished(() => jobs.stop(0))
  return { jobs, host }
}

const ids = { last: 0 }
const nextId = () => `id-${String(++ids.last).padStart(6, '0')}`

const never = (_given?: unknown) => new Promise<never>(() => {})
const ends = (jobs: ReturnType<typeof createJobs>, id: string, state: string) =>
  eventually(async () => (await jobs.find(id))?.state).toBe(state)

onEachEngine('runs a job with its input, the highest priority first', async (db) => {
  const { jobs } = daemon(db)
  const ran: unknown[] = []
  jobs.handle({ kind: 'note', run: async ({ payload }) => ran.push(payload) })
  await jobs.enqueue(db, { kind: 'note', payload: { words: ['later'] } })
  const { id } = await jobs.enqueue(db, { kind: 'note', payload: 'last', priority: -1 })
  await jobs.enqueue(db, { kind: 'note', payload: 'first', priority: 1 })

  jobs.start()

  await ends(jobs, id, 'completed')
  expect(ran).toEqual(['first', { words: ['later'] }, 'last'])
})

onEachEngine('drops a job when its transaction fails', async (db) => {
  const { jobs } = daemon(db)
  const failing = transaction(db, async (db) => {
    await jobs.enqueue(db, { kind: 'note' })
    throw new Error('changed my mind')
  })

  await expect(failing).rejects.toThrow('changed my mind')
  expect(await jobs.counts()).toMatchObject({ pending: 0 })
})

onEachEngine('keeps one live job per dedupe key', async (db) => {
  const { jobs } = daemon(db)
  jobs.handle({ kind: 'note', run: async () => {} })
  const enqueue = () => jobs.enqueue(db, { kind: 'note', dedupeKey: 'a' })
  const [one, two] = await Promise.all([enqueue(), enqueue()])

  expect(one.id).toBe(two.id)
  expect([one.deduped, two.deduped].sort()).toEqual([false, true])
  jobs.start()
  await ends(jobs, one.id, 'completed')
  expect(await enqueue()).toMatchObject({ deduped: false })
})

onEachEngine('rejects new jobs of a kind whose queue is full, and no others', async (db) => {
  const { jobs } = daemon(db)
  jobs.handle({ kind: 'note', maxPending: 2, run: never })
  for (let n = 0; n < 2; n++) await jobs.enqueue(db, { kind: 'note' })

  await expect(jobs.enqueue(db, { kind: 'note' })).rejects.toMatchObject({
    kind: 'too_many',
    code: 'queue_full',
  })
  await expect(jobs.enqueue(db, { kind: 'other' })).resolves.toMatchObject({ deduped: false })
})

onEachEngine('retries a failing job, then marks it dead with a reason', async (db) => {
  const { jobs, host } = daemon(db)
  jobs.handle({ kind: 'note', run: () => Promise.reject(new Error('no luck')) })
  const { id } = await jobs.enqueue(db, { kind: 'note', maxAttempts: 2 })

  jobs.start()
  await ends(jobs, id, 'failed')
  host.advance(minuteMs)
  await ends(jobs, id, 'dead')

  expect(await jobs.find(id)).toMatchObject({ attempts: 2, reason: 'no luck', leaseUntil: null })
  host.advance(minuteMs)
  expect(await jobs.counts()).toMatchObject({ dead: 1, oldestDeadAgeSec: 60, lastError: 'no luck' })
  expect(await jobs.requeueDead(db, 50)).toBe(1)
})

onEachEngine('isolates a handler that throws or refuses permanently', async (db) => {
  const { jobs } = daemon(db)
  const broken = () => {
    throw new Refusal('gone', 'source_gone', 'The source is gone.')
  }
  jobs.handle({ kind: 'broken', run: broken })
  jobs.handle({ kind: 'note', run: async () => {} })
  const { id } = await jobs.enqueue(db, { kind: 'broken' })
  const { id: other } = await jobs.enqueue(db, { kind: 'note' })

  jobs.start()

  await ends(jobs, other, 'completed')
  await ends(jobs, id, 'dead')
  expect(await jobs.find(id)).toMatchObject({ reason: 'source_gone: The source is gone.' })
})

onEachEngine('retires jobs without a handler without blocking other jobs', async (db) => {
  const { jobs } = daemon(db)
  jobs.handle({ kind: 'note', run: async () => {} })
  const { id: unknown } = await jobs.enqueue(db, { kind: 'forgotten', priority: 9 })
  const { id } = await jobs.enqueue(db, { kind: 'note' })

  jobs.start()

  await ends(jobs, id, 'completed')
  expect(await jobs.find(unknown)).toMatchObject({ state: 'dead', reason: 'unknown_kind' })
})

onEachEngine('marks a job dead when it kills its daemon on each attempt', async (db) => {
  const host = manualClockHost()
  const { jobs } = daemon(db, host)
  const { id } = await jobs.enqueue(db, { kind: 'deadly', maxAttempts: 2 })
  for (const attempts of [1, 2]) {
    const killed = createJobs({ db, host: { ...host, newId: nextId, sleep: never }, log })
    killed.handle({ kind: 'deadly', run: never })
    killed.start()
    await eventually(() => killed.find(id)).toMatchObject({ state: 'leased', attempts })
    // Simulates a killed daemon: it renews no lease and writes nothing after this.
    host.advance(2 * minuteMs)
  }

  jobs.start()

  await ends(jobs, id, 'dead')
  expect(await jobs.find(id)).toMatchObject({ attempts: 2, reason: 'lease_expired' })
})

onEachEngine('two daemons share the work and run each job once', async (db) => {
  const ran: string[] = []
  const kind: JobKind = { kind: 'note', concurrency: 4, run: async ({ id }) => ran.push(id) }
  const host = manualClockHost()
  const daemons = [daemon(db, host), daemon(db, host)]
  const [first] = daemons
  for (let n = 0; n < 20; n++) await first?.jobs.enqueue(db, { kind: 'note' })

  for (const { jobs } of daemons) {
    jobs.handle(kind)
    jobs.start()
  }

  await eventually(async () => (await first?.jobs.counts())?.completed).toBe(20)
  expect(new Set(ran).size).toBe(20)
  expect(ran).toHaveLength(20)
})

onEachEngine('cancels the jobs of a deleted subject, the running one too', async (db) => {
  const { jobs } = daemon(db)
  const started = Promise.withResolvers<Task>()
  jobs.handle({ kind: 'note', run: (task) => never(started.resolve(task)) })
  const about = { kind: 'note', agentId: 'ada', subject: 'memory:1' }
  const { id } = await jobs.enqueue(db, about)
  await jobs.enqueue(db, about)
  await jobs.enqueue(db, { ...about, subject: 'memory:2', runAfter: new Date(8e12) })
  jobs.start()
  const { signal } = await started.promise

  expect(await jobs.cancel(db, { subject: 'memory:1', agentId: 'bob' })).toBe(0)
  expect(await jobs.cancel(db, { subject: 'memory:1', agentId: 'ada' })).toBe(2)

  expect(signal.aborted).toBe(true)
  expect(await jobs.counts()).toMatchObject({ cancelled: 2, pending: 1, leased: 0 })
  expect(await jobs.find(id)).toMatchObject({ leaseUntil: null, leaseOwner: null })
})

onEachEngine('counts a run past its deadline as a failed attempt', async (db) => {
  const { jobs, host } = daemon(db)
  const started = Promise.withResolvers<void>()
  jobs.handle({ kind: 'note', timeoutMs: 1_000, run: () => never(started.resolve()) })
  const { id } = await jobs.enqueue(db, { kind: 'note' })
  jobs.start()
  await started.promise

  host.advance(1_000)

  await ends(jobs, id, 'failed')
  expect(await jobs.find(id)).toMatchObject({ reason: 'The job ran for more than 1000 ms.' })
})

onEachEngine('renews the lease of a long-running job', async (db) => {
  const { jobs, host } = daemon(db)
  const release = Promise.withResolvers<void>()
  jobs.handle({ kind: 'note', run: () => release.promise })
  const { id } = await jobs.enqueue(db, { kind: 'note' })
  jobs.start()
  await ends(jobs, id, 'leased')
  const before = await jobs.find(id)

  await eventually(() => host.sleeps()).toContain(20_000)
  host.advance(20_000)

  await eventually(async () => (await jobs.find(id))?.leaseUntil).not.toBe(before?.leaseUntil)
  release.resolve()
  await ends(jobs, id, 'completed')
})

onEachEngine('returns unfinished jobs to the queue when the daemon stops', async (db) => {
  const { jobs } = daemon(db)
  const started = Promise.withResolvers<void>()
  jobs.handle({ kind: 'note', run: () => never(started.resolve()) })
  const { id } = await jobs.enqueue(db, { kind: 'note' })
  jobs.start()
  await started.promise

  await jobs.stop(0)

  expect(await jobs.find(id)).toMatchObject({ state: 'pending', attempts: 0, leaseOwner: null })
})

onEachEngine('starts no job while paused', async (db) => {
  const { jobs, host } = daemon(db)
  jobs.handle({ kind: 'note', run: async () => {} })
  jobs.pause()
  jobs.start()
  const { id } = await jobs.enqueue(db, { kind: 'note' })
  await eventually(() => host.sleeps()).toEqual([15_000])
  expect(await jobs.find(id)).toMatchObject({ state: 'pending' })

  jobs.resume()

  await ends(jobs, id, 'completed')
})

onEachEngine('retries a job here when its outcome could not be written', async (db) => {
  const lines: string[] = []
  const host = manualClockHost()
  const outcome = createLog('error', { write: (line) => lines.push(line) })
  const jobs = createJobs({ db, host: { ...host, newId: nextId }, log: outcome })
  onTestFinished(() => jobs.stop(0))
  const attempts: number[] = []
  jobs.handle({
    kind: 'note',
    run: async ({ attempt }) => {
      attempts.push(attempt)
      if (attempt === 1) await db.schema.alterTable('jobs').renameTo('jobs_away').execute()
    },
  })
  const { id } = await jobs.enqueue(db, { kind: 'note' })
  jobs.start()
  await eventually(() => lines.join('')).toContain('job outcome not written')
  await db.schema.alterTable('jobs_away').renameTo('jobs').execute()

  await eventually(async () => {
    host.advance(minuteMs)
    return (await jobs.find(id))?.state
  }).toBe('completed')
  expect(attempts).toEqual([1, 2])
})

onEachEngine('sweeps only jobs that ended long ago', async (db) => {
  const { jobs, host } = daemon(db)
  jobs.handle({ kind: 'note', run: async () => {} })
  const { id } = await jobs.enqueue(db, { kind: 'note' })
  const { id: unknown } = await jobs.enqueue(db, { kind: 'forgotten' })
  jobs.start()
  await ends(jobs, id, 'completed')
  await ends(jobs, unknown, 'dead')
  const { id: waiting } = await jobs.enqueue(db, { kind: 'note', runAfter: new Date(8e12) })

  host.advance(14 * dayMs)
  const nothing = await jobs.sweep(db)
  host.advance(1)
  const counted = await jobs.countSweepable(db)
  const completed = await jobs.sweep(db)
  host.advance(16 * dayMs)
  const dead = await jobs.sweep(db)

  expect(nothing).toEqual({ completedJobs: 0, deadJobs: 0, hasMore: false })
  expect(counted).toEqual({ completedJobs: 1, deadJobs: 0, hasMore: false })
  expect(completed).toMatchObject({ completedJobs: 1, deadJobs: 0 })
  expect(dead).toMatchObject({ completedJobs: 0, deadJobs: 1 })
  expect(await jobs.find(waiting)).toMatchObject({ state: 'pending' })
})

test('doubles the backoff between attempts up to ten minutes, with jitter', () => {
  expect([1, 2, 3, 20].map((attempt) => backoffMs(attempt, 0))).toEqual([2500, 5000, 10000, 300000])
  expect(backoffMs(1, 0.5)).toBe(3750)
})
