import { expect } from 'vitest'
import { testOnEachEngine } from '../../testing/engines.ts'
import { fixedHost } from '../../testing/fixed-host.ts'
import { enqueue } from '../enqueue.ts'
import { type Job, leaseCleared } from '../job.ts'
import { jobsMigrations } from '../migrations.ts'
import { changeLeased, changeWaiting, findJob } from './jobs.ts'

const onEachEngine = testOnEachEngine(jobsMigrations)
const updatedAt = '2026-01-02T00:00:00.000Z'

onEachEngine('changes a job only if it is unchanged since it was read', async (db) => {
  const { id } = await enqueue({ db, host: fixedHost() }, { kind: 'note' }, 10)
  const read = (await findJob(db, id)) as Job
  const leased = { state: 'leased', attempts: 1, leaseOwner: 'one', updatedAt } as const

  const claimed = await changeWaiting(db, read, leased)
  expect(claimed).toMatchObject(leased)
  expect(await changeWaiting(db, read, { ...leased, leaseOwner: 'two' })).toBeUndefined()

  const again = { state: 'pending', ...leaseCleared, updatedAt } as const
  expect(await changeLeased(db, { ...read, ...leased, leaseOwner: 'two' }, again)).toBe(false)
  expect(await changeLeased(db, { ...read, ...leased, attempts: 2 }, again)).toBe(false)
  expect(await changeLeased(db, { ...read, ...leased }, again)).toBe(true)
  expect(await changeWaiting(db, read, leased)).toBeUndefined()
})
