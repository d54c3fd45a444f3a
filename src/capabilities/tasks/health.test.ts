import { expect } from 'vitest'
import { tasksHealth } from './health.ts'
import * as tasks from './manage-tasks.ts'
import { ada, create, endOf, onEachEngine, tasksNeeds } from './tasks.fixture.ts'

onEachEngine('health reports late tasks, and the diagnostics failing ones too', async (db) => {
  const { needs, clock } = await tasksNeeds(db)
  const { diagnostics, health } = tasksHealth({ ...needs, counts: needs.scheduler.counts })
  const listFindings = async () => (await diagnostics[0]?.check())?.findings
  const { id } = await create(needs, { prompt: 'exit 3' })
  expect([(await health.check()).status, await listFindings()]).toEqual(['ok', []])
  await tasks.runTask(needs, ada, id)
  await endOf(needs, id)

  expect(await health.check()).toMatchObject({ status: 'ok', details: { late: 0, failing: 1 } })
  const fix = { command: 'reverie task list' }
  const failing = {
    code: 'tasks_failing',
    detail: '1 scheduled task failed in its last run',
    fix,
  }
  expect(await listFindings()).toMatchObject([failing])

  clock.now = new Date(clock.now.getTime() + 10 * 60_000)
  expect(await health.check()).toMatchObject({
    status: 'degraded',
    reasons: ['1 scheduled task is late'],
  })
  expect(await listFindings()).toMatchObject([{ code: 'tasks_late', fix }, failing])
})
