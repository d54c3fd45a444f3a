import { readdir, readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { realHost } from '../../kernel/host/host.ts'
import * as tasks from './manage-tasks.ts'
import type { TasksNeeds } from './needs.ts'
import { insertOutput, insertRun } from './store/runs.ts'
import { presets, type Run } from './task.ts'
import { ada, create, endOf, onEachEngine, tasksNeeds } from './tasks.fixture.ts'

type Models = TasksNeeds['models']

const run = (fields: Pick<Run, 'id' | 'taskId' | 'startedAt'>): Run => ({
  ...fields,
  status: 'completed',
  trigger: 'schedule',
  scheduledFor: fields.startedAt,
  completedAt: fields.startedAt,
  exitCode: 0,
  error: null,
  daemonId: 'earlier',
  leaseUntil: null,
})

const length = 9_000
const text = 'x'.repeat(length)

onEachEngine('a task retains 200 runs, and the whole output of the newest 20', async (db) => {
  const { needs, clock } = await tasksNeeds(db)
  const { id: taskId } = await create(needs)
  for (let number = 0; number < 205; number++) {
    const id = `r${String(number).padStart(3, '0')}`
    const startedAt = new Date(clock.now.getTime() - (205 - number) * 60_000).toISOString()
    await insertRun(db, run({ id, taskId, startedAt }))
    await insertOutput(db, { runId: id, stream: 'stdout', text, truncated: false })
  }
  await tasks.runTask(needs, ada, taskId)
  const list = (offset: number, limit = 100) =>
    tasks.listTaskRuns(needs, ada, taskId, { limit, offset })
  await expect.poll(async () => (await list(0, 1)).total).toBe(200)

  const { runs } = await list(0, 2)
  expect(runs).toMatchObject([
    { stdout: { text: 'done\n', truncated: false } },
    { stdout: { truncated: true } },
  ])
  expect(runs[1]?.stdout?.text).toHaveLength(8_192)
  const lengthOf = async (runId: string) =>
    (await tasks.readRun(needs, ada, { id: taskId, runId })).stdout?.text.length
  expect([await lengthOf('r204'), await lengthOf('r186'), await lengthOf('r185')]).toEqual([
    length,
    length,
    8_192,
  ])
  expect((await list(199, 1)).runs).toMatchObject([{ id: 'r006' }])
})

onEachEngine('three runs are active and fifty wait; a further one is refused', async (db) => {
  const models: Models = {
    isReady: () => true,
    run: ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('ended')))
      }),
  }
  const { needs, clock } = await tasksNeeds(db, { models })
  const ids: string[] = []
  for (let number = 0; number < 54; number++)
    ids.push((await create(needs, { harness: 'inference' })).id)
  const started = []
  for (const id of ids.slice(0, 53)) started.push((await tasks.runTask(needs, ada, id)).status)

  expect(started.filter((status) => status === 'running')).toHaveLength(3)
  expect(needs.scheduler.counts()).toEqual({ running: 3, pending: 50 })
  const last = ids.at(-1) ?? ''
  await expect(tasks.runTask(needs, ada, last)).rejects.toMatchObject({
    kind: 'too_many',
    code: 'task_queue_full',
  })
  clock.now = new Date(clock.now.getTime() + 300_000)
  await needs.scheduler.poll()
  expect((await tasks.listTaskRuns(needs, ada, last, { limit: 1, offset: 0 })).total).toBe(0)

  await tasks.cancelTask(needs, ada, ids[0] ?? '')
  await expect.poll(() => needs.scheduler.counts()).toEqual({ running: 3, pending: 49 })
  await needs.scheduler.poll()
  expect(needs.scheduler.counts()).toEqual({ running: 3, pending: 50 })
})

onEachEngine('a run that lasts ten minutes is ended with its processes', async (db) => {
  const host = {
    ...realHost,
    sleep: (ms: number, signal?: AbortSignal) => realHost.sleep(ms === 600_000 ? 200 : ms, signal),
  }
  const { needs } = await tasksNeeds(db, { host })
  const { id } = await create(needs, { prompt: 'sleep 600.3917 & exec sleep 600.3917' })
  await tasks.runTask(needs, ada, id)

  expect(await endOf(needs, id)).toMatchObject([
    { status: 'failed', error: 'Process timed out after 600000ms' },
  ])
  await expect.poll(listCommands).not.toContain('600.3917')
})

async function listCommands(): Promise<string> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const read = ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''))
  return (await Promise.all(read)).join('\n')
}

onEachEngine(
  'a model runs the prompt while one is ready, and its refusal is the error',
  async (db) => {
    let isReady = false
    const models: Models = {
      isReady: () => isReady,
      run: async ({ messages }) => {
        if (!isReady) throw new Refusal('unavailable', 'no_target', 'No model is ready.')
        const text = `answer to ${JSON.stringify(messages.at(-1)?.content)}`
        return { text } as Awaited<ReturnType<Models['run']>>
      },
    }
    const { needs } = await tasksNeeds(db, { models })
    const { id, warning } = await create(needs, { harness: 'inference', prompt: 'hello' })
    expect(warning).toContain('no model is ready')
    await tasks.runTask(needs, ada, id)
    expect(await endOf(needs, id)).toMatchObject([
      { status: 'failed', error: 'No model is ready.' },
    ])

    isReady = true
    expect(await create(needs, { harness: 'inference' })).not.toHaveProperty('warning')
    await tasks.runTask(needs, ada, id)
    expect((await endOf(needs, id, 2))[0]).toMatchObject({
      status: 'completed',
      exitCode: 0,
      stdout: { text: 'answer to "hello"' },
    })
  },
)

onEachEngine('the list has the presets, and the newest task first', async (db) => {
  const { needs, clock } = await tasksNeeds(db)
  expect(await tasks.listTasks(needs, ada)).toEqual({ tasks: [], presets })
  for (const name of ['first', 'second']) {
    clock.now = new Date(clock.now.getTime() + 1_000)
    await create(needs, { name })
  }

  const { tasks: listed } = await tasks.listTasks(needs, ada)
  expect(listed.map(({ name }) => name)).toEqual(['second', 'first'])
})
