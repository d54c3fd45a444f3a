import { expect, onTestFinished } from 'vitest'
import { realHost } from '../../kernel/host/host.ts'
import { createForeignRuns } from './foreign-runs.ts'
import { createLiveRuns } from './live-runs.ts'
import * as tasks from './manage-tasks.ts'
import { ada, create, endOf, onEachEngine, tasksNeeds } from './tasks.fixture.ts'

onEachEngine('a follower sees the start, the output and the end of a run elsewhere', async (db) => {
  const { needs } = await tasksNeeds(db, { exclusive: false })
  const { id } = await create(needs, { prompt: 'sleep 0.5; echo done; echo no >&2; exit 3' })
  const host = {
    ...realHost,
    sleep: (_: number, signal?: AbortSignal) => realHost.sleep(20, signal),
  }
  const live = createLiveRuns({ host })
  const other = { ...needs, host, live, daemonId: host.newId() }
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const follower = live.follow(id, leaving.signal)
  const next = async () => (await follower.next()).value?.data
  expect(await next()).toMatchObject({ type: 'connected' })
  createForeignRuns(other).watch(id, leaving.signal)
  await tasks.runTask(needs, ada, id)

  expect([await next(), await next(), await next(), await next()]).toMatchObject([
    { type: 'run-started' },
    { type: 'run-output', stream: 'stdout', chunk: 'done\n' },
    { type: 'run-output', stream: 'stderr', chunk: 'no\n' },
    { type: 'run-completed', status: 'failed', exitCode: 3 },
  ])
  await endOf(needs, id)
})
