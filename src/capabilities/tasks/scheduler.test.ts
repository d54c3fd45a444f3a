import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { recordQueries } from '../../kernel/testing/record-queries.ts'
import * as tasks from './manage-tasks.ts'
import { createScheduler } from './scheduler.ts'
import { listDue } from './store/tasks.ts'
import { ada, create, endOf, onEachEngine, runsOf, tasksNeeds } from './tasks.fixture.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

onEachEngine('missed times become one catch-up, or none', async (db) => {
  const { needs, clock } = await tasksNeeds(db)
  const { id } = await create(needs)
  clock.now = new Date(clock.now.getTime() + 7 * 24 * 60 * minuteMs)
  await needs.scheduler.poll()
  expect(await endOf(needs, id)).toMatchObject([{ trigger: 'catch-up' }])

  const skipping = { ...needs, config: () => ({ ...needs.config(), catchUp: 'skip' as const }) }
  clock.now = new Date(clock.now.getTime() + 60 * minuteMs)
  await createScheduler(skipping).poll()
  expect(await runsOf(needs, id)).toHaveLength(1)
  const { task } = await tasks.readTaskWithRuns(needs, ada, id)
  expect(task.nextRunAt && task.nextRunAt > clock.now.toISOString()).toBe(true)
})

onEachEngine('a clock that jumps by 12 hours repeats no tick and loses no task', async (db) => {
  const { needs, clock } = await tasksNeeds(db)
  const { id } = await create(needs)
  const pollAt = async (afterMs: number) => {
    clock.now = new Date(clock.now.getTime() + afterMs)
    await needs.scheduler.poll()
  }
  await pollAt(5 * minuteMs)
  await endOf(needs, id, 1)
  await pollAt(12 * hourMs)
  expect(await endOf(needs, id, 2)).toMatchObject([{ trigger: 'catch-up' }, {}])

  await pollAt(-12 * hourMs)
  expect(await runsOf(needs, id)).toHaveLength(2)
  await pollAt(12 * hourMs + 5 * minuteMs)
  const times = (await endOf(needs, id, 3)).map(({ scheduledFor }) => scheduledFor)
  expect(new Set(times).size).toBe(3)
})

const idle = 1_000

onEachEngine('a poll of 1,000 idle tasks is at most three statements without rows', async (db) => {
  const { needs, clock } = await tasksNeeds(db, { exclusive: false })
  const { id } = await create(needs)
  await copyTask(db, id)
  const poll = (own: Db) => createScheduler({ ...needs, db: own }).poll()

  expect((await recordQueries(db, poll)).length).toBeLessThanOrEqual(3)
  expect(await listDue(db, clock.now.toISOString(), 50)).toEqual([])

  clock.now = new Date('2026-03-02T08:05:00.000Z')
  expect(await listDue(db, clock.now.toISOString(), 50)).toMatchObject([{ id }])
})

/** Copies that are due a year later. */
async function copyTask(db: Db, id: string): Promise<void> {
  const rows = db.withTables<{ scheduledTasks: { id: string; nextRunAt: string | null } }>()
  const task = await rows
    .selectFrom('scheduledTasks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const nextRunAt = '2027-03-02T08:05:00.000Z'
  const copies = Array.from({ length: idle }, (_, number) => ({
    ...task,
    id: `copy-${number}`,
    nextRunAt,
  }))
  while (copies.length > 0)
    await rows.insertInto('scheduledTasks').values(copies.splice(0, 500)).execute()
}
