import { expect, test, vi } from 'vitest'
import { transaction } from '../../kernel/db/transaction.ts'
import * as tasks from './manage-tasks.ts'
import { createOutput } from './output.ts'
import { harnessCommands } from './runners/harness-commands.ts'
import { createScheduler } from './scheduler.ts'
import { insertRun } from './store/runs.ts'
import { deleteTasks, disableTasks } from './store/tasks.ts'
import { ada, create, endOf, onEachEngine, runsOf, tasksNeeds } from './tasks.fixture.ts'

const minuteMs = 60_000

onEachEngine('a due task runs once and is due again', async (db) => {
  const { needs, clock, emitted } = await tasksNeeds(db)
  const { id, nextRunAt } = await create(needs)
  await needs.scheduler.poll()
  expect(await runsOf(needs, id)).toEqual([])

  clock.now = new Date(nextRunAt ?? '')
  await needs.scheduler.poll()
  await needs.scheduler.poll()
  const [run, ...others] = await endOf(needs, id)

  expect(others).toEqual([])
  expect(run).toMatchObject({
    status: 'completed',
    trigger: 'schedule',
    scheduledFor: nextRunAt,
    exitCode: 0,
    error: null,
    stdout: { text: 'done\n', truncated: false },
    stderr: null,
  })
  const { task } = await tasks.readTaskWithRuns(needs, ada, id)
  expect(task).toMatchObject({ lastRunStatus: 'completed', lastRunExitCode: 0 })
  expect(Date.parse(task.nextRunAt ?? '')).toBe(clock.now.getTime() + 5 * minuteMs)
  expect(emitted).toMatchObject([
    { name: 'task.run_started', agentId: 'ada', id: run?.id },
    { name: 'task.run_completed', status: 'completed', taskId: id },
  ])
})

onEachEngine('a second run by hand is refused while the first is live', async (db) => {
  const { needs } = await tasksNeeds(db)
  const { id } = await create(needs, { prompt: 'sleep 30' })

  expect(await tasks.runTask(needs, ada, id)).toMatchObject({ status: 'running' })
  await expect(tasks.runTask(needs, ada, id)).rejects.toMatchObject({ code: 'task_running' })
  expect(await tasks.cancelTask(needs, ada, id)).toEqual({ cancelled: true })
  expect(await endOf(needs, id)).toMatchObject([{ status: 'failed', error: 'cancelled' }])
  expect(await tasks.cancelTask(needs, ada, id)).toEqual({ cancelled: false })
})

onEachEngine('three runs are active, and the fourth is pending until one ends', async (db) => {
  const { needs } = await tasksNeeds(db)
  const ids: string[] = []
  for (const prompt of ['sleep 30', 'sleep 30', 'sleep 30', 'echo last'])
    ids.push((await create(needs, { prompt })).id)
  const started = []
  for (const id of ids) started.push((await tasks.runTask(needs, ada, id)).status)

  expect(started).toEqual(['running', 'running', 'running', 'pending'])
  expect(needs.scheduler.counts()).toEqual({ running: 3, pending: 1 })
  await tasks.cancelTask(needs, ada, ids[0] ?? '')
  expect(await endOf(needs, ids[3] ?? '')).toMatchObject([{ status: 'completed' }])
})

onEachEngine(
  'a failing command, a missing program and a missing folder fail the run',
  async (db) => {
    const { needs } = await tasksNeeds(db)
    const failing = await create(needs, { prompt: 'echo no >&2; exit 3' })
    const missing = await create(needs, { harness: 'kimi' })
    const nowhere = await create(needs, { workingDirectory: '~/nowhere' })
    for (const { id } of [failing, missing, nowhere]) await tasks.runTask(needs, ada, id)

    expect(missing.warning).toContain('kimi is not installed')
    expect(await endOf(needs, failing.id)).toMatchObject([
      { status: 'failed', exitCode: 3, error: null, stderr: { text: 'no\n' } },
    ])
    expect(await endOf(needs, missing.id)).toMatchObject([{ error: 'kimi is not installed' }])
    expect(await endOf(needs, nowhere.id)).toMatchObject([
      { error: 'The working directory does not exist: ~/nowhere' },
    ])
  },
)

onEachEngine('a start fails the live runs of a killed daemon once', async (db) => {
  const { needs, clock } = await tasksNeeds(db)
  const { id } = await create(needs)
  const killed = { id: 'r1', taskId: id, status: 'running', trigger: 'manual' } as const
  const times = { scheduledFor: null, startedAt: clock.now.toISOString(), completedAt: null }
  const result = { exitCode: null, error: null, daemonId: 'gone', leaseUntil: '2026-03-02T08:01' }
  await insertRun(db, { ...killed, ...times, ...result })
  const shared = createScheduler({ ...needs, exclusive: false })
  await shared.poll()
  expect(await runsOf(needs, id)).toMatchObject([{ status: 'running' }])

  clock.now = new Date(clock.now.getTime() + 2 * minuteMs)
  await shared.poll()

  expect(await runsOf(needs, id)).toMatchObject([{ status: 'failed', error: 'daemon_restart' }])
  await shared.stop()
})

onEachEngine('an update recomputes the next time, and a disabled task has none', async (db) => {
  const { needs } = await tasksNeeds(db)
  const { id } = await create(needs, { workingDirectory: '/' })
  const change = async (body: object) => {
    await tasks.updateTask(needs, ada, id, { enabled: undefined, ...body })
    return (await tasks.readTaskWithRuns(needs, ada, id)).task
  }

  expect(await change({ enabled: false })).toMatchObject({ enabled: 0, nextRunAt: null })
  expect((await change({ enabled: true })).nextRunAt).toBe('2026-03-02T08:05:00.000Z')
  const moved = await change({ cronExpression: '30 * * * *', workingDirectory: null, name: 'b' })
  expect(moved).toMatchObject({ workingDirectory: null, name: 'b', enabled: 1 })
  expect(moved.nextRunAt).toBe('2026-03-02T08:30:00.000Z')
  await expect(change({ cronExpression: '0 0 31 2 *' })).rejects.toMatchObject({
    code: 'invalid_cron',
    message: expect.stringMatching(/^Invalid cron expression\. .*cronExpression.*0 9/),
  })
})

onEachEngine('a token with an agent sees the tasks of this agent alone', async (db) => {
  const { needs } = await tasksNeeds(db)
  const { id } = await create(needs)
  const bob = { ...ada, agentId: 'bob', scope: { agent: 'bob' } }

  expect((await tasks.listTasks(needs, bob)).tasks).toEqual([])
  for (const act of [tasks.readTask, tasks.runTask, tasks.deleteTask, tasks.cancelTask])
    await expect(act(needs, bob, id)).rejects.toMatchObject({ code: 'task_not_found' })
  expect((await tasks.listTasks(needs, ada)).tasks).toMatchObject([{ id, agentId: 'ada' }])
})

onEachEngine('a removed agent has no enabled task, and a purged one none', async (db) => {
  const { needs } = await tasksNeeds(db)
  await create(needs)

  await transaction(db, (own) => disableTasks(own, 'ada'))
  expect((await tasks.listTasks(needs, ada)).tasks).toMatchObject([{ enabled: 0, nextRunAt: null }])
  await transaction(db, (own) => deleteTasks(own, 'ada'))
  expect((await tasks.listTasks(needs, ada)).tasks).toEqual([])
})

onEachEngine('a stream replays the active run and resumes after an event', async (db) => {
  const { needs } = await tasksNeeds(db)
  const { id } = await create(needs, { prompt: 'echo one; sleep 30' })
  const leaving = new AbortController()
  await tasks.runTask(needs, ada, id)
  await vi.waitFor(() => expect(needs.live.list(id).at(-1)?.type).toBe('run-output'), 10_000)

  const follower = needs.live.follow(id, leaving.signal)
  const next = async () => (await follower.next()).value
  expect([await next(), await next(), await next()]).toMatchObject([
    { data: { type: 'connected', taskId: id } },
    { data: { type: 'run-started' } },
    { data: { type: 'run-output', stream: 'stdout', chunk: 'one\n' } },
  ])
  await tasks.cancelTask(needs, ada, id)
  const completed = await next()
  expect(completed).toMatchObject({ data: { type: 'run-completed', error: 'cancelled' } })
  const lastId = completed && 'id' in completed ? completed.id : ''
  await tasks.runTask(needs, ada, id)
  const again = needs.live.follow(id, leaving.signal, lastId)
  await again.next()
  expect((await again.next()).value).toMatchObject({ data: { type: 'run-started' } })
  leaving.abort()
})

test('output is redacted at line ends, cut, and the same live and stored', () => {
  const live: string[] = []
  const output = createOutput((_, chunk) => live.push(chunk))
  const key = ['ghp', 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU0vW1xY3zA5'].join('_')
  for (const part of ['key ', key.slice(0, 10), key.slice(10), '\nafter\n', 'the end'])
    output.add('stdout', part)
  for (let at = 0; at < 200; at++) output.add('stderr', `${'x'.repeat(8191)}\n`)
  const { stdout, stderr } = output.finish()

  expect(stdout.text).toBe('key [REDACTED]\nafter\nthe end')
  expect(live.join('')).toContain('after\n')
  expect(live.join('')).not.toContain(key)
  expect([stderr.text.length, stderr.truncated]).toEqual([1_048_576, true])
})

test.each([
  ['claude-code', 'm', ['--dangerously-skip-permissions', '--model', 'm', '-p', 'hello']],
  ['claude-code', null, ['--dangerously-skip-permissions', '-p', 'hello']],
  ['codex', 'm', ['exec', '--skip-git-repo-check', '--json', '--model', 'm', 'hello']],
  ['opencode', null, ['run', '--format', 'json', 'hello']],
  ['kimi', 'm', ['-p', 'hello', '--output-format', 'stream-json', '-m', 'm']],
] as const)('%s with the model %s is called with its arguments', (harness, model, expected) => {
  const call = { prompt: 'hello', model, skipPermissions: true }

  expect(harnessCommands[harness]?.toArguments(call)).toEqual(expected)
  const asking = harnessCommands[harness]?.toArguments({ ...call, skipPermissions: false })
  expect(asking).toEqual(expected.filter((argument) => !argument.includes('skip-permissions')))
})

onEachEngine('a prompt that begins with - is no option, and a skill precedes it', async (db) => {
  const skills = { readBody: async (name: string) => (name === 'tea' ? 'Brew.' : undefined) }
  const seen: string[] = []
  const record = {
    program: 'fake-harness',
    toArguments: ({ prompt }: { prompt: string }) => {
      seen.push(prompt)
      return ['true']
    },
  }
  const { needs } = await tasksNeeds(db, { skills, commands: { codex: record } })
  for (const body of [
    { prompt: '--help' },
    { skillName: 'tea', skillMode: 'inject' },
    { skillName: 'tea', skillMode: 'slash' },
    { skillName: 'none' },
  ]) {
    const { id } = await create(needs, { prompt: 'pour', ...body })
    await tasks.runTask(needs, ada, id)
    await endOf(needs, id)
  }

  expect(seen).toEqual([' --help', 'Brew.\n\n---\n\npour', '/tea pour', 'pour'])
})
