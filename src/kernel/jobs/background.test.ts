import { expect, onTestFinished } from 'vitest'
import type { Db } from '../db/database.ts'
import { createGate, type Gate } from '../gate/gate.ts'
import { createLog } from '../log/log.ts'
import { testOnEachEngine } from '../testing/engines.ts'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { createJobs } from './jobs.ts'
import type { Task } from './kind.ts'
import { jobsMigrations } from './migrations.ts'

const onEachEngine = testOnEachEngine(jobsMigrations)
/** Generous, because the machine may be busy. */
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 10_000 })
const newIds = () => {
  let last = 0
  return () => `id-${++last}`
}

function daemon(db: Db) {
  const host = { ...manualClockHost(), newId: newIds() }
  const gate = createGate(host)
  const jobs = createJobs({ db, host, log: createLog('silent'), gate })
  onTestFinished(() => jobs.stop(0))
  const state = async (id: string) => (await jobs.find(id))?.state
  return { jobs, gate, host, state }
}

onEachEngine('a background job waits while the gate is closed; another one runs', async (db) => {
  const { jobs, gate, host, state } = daemon(db)
  const run = async () => {}
  jobs.handle({ kind: 'derive', background: true, run })
  jobs.handle({ kind: 'note', run })
  await gate.close()
  const background = await jobs.enqueue(db, { kind: 'derive', priority: 1 })
  const other = await jobs.enqueue(db, { kind: 'note' })
  jobs.start()

  await eventually(() => state(other.id)).toBe('completed')
  // The worker sleeps: the waiting job does not keep it busy.
  await eventually(() => host.sleeps()).toEqual([15_000])
  expect(await jobs.find(background.id)).toMatchObject({ state: 'pending', attempts: 0 })
  gate.open()
  await eventually(() => state(background.id)).toBe('completed')
})

/** Works until the gate aborts it. */
const workIn = (gate: Gate, runs: Task[]) => async (task: Task) => {
  runs.push(task)
  if (runs.length > 1) return
  const { signal, leave } = gate.enter('repair', task.signal)
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason))
  await promise.finally(leave)
}

onEachEngine('a background run that the gate aborts is repeated and not counted', async (db) => {
  const { jobs, gate, state } = daemon(db)
  const runs: Task[] = []
  jobs.handle({ kind: 'derive', background: true, run: workIn(gate, runs) })
  const { id } = await jobs.enqueue(db, { kind: 'derive', maxAttempts: 1 })
  jobs.start()
  await eventually(() => runs.length).toBe(1)

  expect(await gate.close()).toMatchObject({ activeAtStart: 1, remaining: 0, timedOut: false })
  await eventually(() => state(id)).toBe('pending')
  expect(await jobs.find(id)).toMatchObject({ attempts: 0, leaseOwner: null })
  gate.open()
  await eventually(() => state(id)).toBe('completed')
  expect(runs.map(({ attempt }) => attempt)).toEqual([1, 1])
})

onEachEngine('a refusal of the gate fails an attempt of any other kind', async (db) => {
  const { jobs, gate, state } = daemon(db)
  jobs.handle({ kind: 'note', run: workIn(gate, []) })
  await gate.close()
  const { id } = await jobs.enqueue(db, { kind: 'note' })
  jobs.start()

  await eventually(() => state(id)).toBe('failed')
  expect(await jobs.find(id)).toMatchObject({ attempts: 1 })
})
