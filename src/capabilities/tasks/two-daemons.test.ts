import { expect, onTestFinished } from 'vitest'
import { type Db, engineOf } from '../../kernel/db/database.ts'
import { isLong } from '../../kernel/testing/plan-of.ts'
import { openOnServer, testServer } from '../../kernel/testing/test-server.ts'
import type { TasksNeeds } from './needs.ts'
import { createScheduler } from './scheduler.ts'
import { create, onEachEngine, runsOf, tasksNeeds } from './tasks.fixture.ts'

const minuteMs = 60_000
const [taskCount, rounds] = isLong ? [50, 20] : [4, 2]
const idle = { running: 0, pending: 0 }
const wait = { timeout: 60_000, interval: 5 }

/** Runs without a process, so that many of them take no time. */
const models: TasksNeeds['models'] = {
  run: async () => ({ text: 'done' }) as Awaited<ReturnType<TasksNeeds['models']['run']>>,
  isReady: () => true,
}

/** Another connection to a server; the engines of this process have one. */
async function connectAgain(db: Db): Promise<Db> {
  if (engineOf(db) !== 'postgres' || testServer === undefined) return db
  const other = await openOnServer(testServer)
  onTestFinished(() => other.close())
  return other.db
}

onEachEngine('two daemons with clocks a second apart run each tick once', async (db) => {
  const { needs, clock } = await tasksNeeds(db, { exclusive: false, models })
  const host = { ...needs.host, now: () => new Date(clock.now.getTime() + 1_000) }
  const second = createScheduler({
    ...needs,
    db: await connectAgain(db),
    host,
    daemonId: host.newId(),
  })
  const ids: string[] = []
  for (let number = 0; number < taskCount; number++)
    ids.push((await create(needs, { harness: 'inference' })).id)
  for (let round = 0; round < rounds; round++) {
    // Only the second daemon has reached the time, then both have.
    clock.now = new Date(clock.now.getTime() + 5 * minuteMs - 1_000)
    await Promise.all([needs.scheduler.poll(), second.poll()])
    clock.now = new Date(clock.now.getTime() + 1_000)
    await Promise.all([needs.scheduler.poll(), second.poll()])
    await expect.poll(() => [needs.scheduler.counts(), second.counts()], wait).toEqual([idle, idle])
  }
  for (const id of ids) {
    const runs = await runsOf(needs, id)
    expect(runs.map(({ status }) => status)).toEqual(Array(rounds).fill('completed'))
    expect(new Set(runs.map(({ scheduledFor }) => scheduledFor)).size).toBe(rounds)
  }
  await second.stop()
})
