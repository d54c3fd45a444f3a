import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { createSynthesis } from './index.ts'
import { findHead } from './store.ts'
import { onEachEngine, synthesisFixture } from './synthesis.fixture.ts'
import { enqueueIdleAgents, requestRefresh } from './write.ts'

const minuteMs = 60_000

/** Queues jobs in memory. The test runs them. */
async function withQueue(db: Db) {
  const { options, captureSummary } = await synthesisFixture(db)
  const queue: {
    readonly kind: string
    readonly dedupeKey?: string
    readonly payload?: unknown
  }[] = []
  const jobs: typeof options.jobs = {
    ...options.jobs,
    enqueue: async (_, job) => {
      queue.push(job)
      return { id: job.kind, deduped: false }
    },
  }
  const queuedOptions = { ...options, jobs }
  const synthesis = createSynthesis(queuedOptions)
  const kinds = new Map<string, { run(task: object): Promise<unknown> }>()
  for (const kind of synthesis.jobs) kinds.set(kind.kind, kind as never)
  const runQueue = async () => {
    for (const { kind, payload } of queue.splice(0)) await kinds.get(kind)?.run({ payload })
  }
  const session = {
    agentId: 'ada',
    sessionKey: 'one',
    harness: 'codex',
    project: '/p',
    runtimePath: 'plugin',
  } as const
  const { sessions } = options
  const startSession = (more: object = {}) =>
    sessions.enter({ ...session, announcePresence: true, ...more })
  const endSession = () =>
    sessions.end({ ...session, endMarker: 'plugin' }, async (db) => {
      await sessions.finish(db, session)
    })
  return {
    options: queuedOptions,
    synthesis,
    queue,
    runQueue,
    captureSummary,
    startSession,
    endSession,
  }
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

onEachEngine('MEMORY.md of an idle agent is written once', async (db) => {
  const { options, queue, runQueue, captureSummary, startSession, endSession } = await withQueue(db)
  await startSession()
  await captureSummary()
  await enqueueIdleAgents(options)
  expect(queue).toEqual([])
  await endSession()
  options.host.advance(14 * minuteMs)
  await enqueueIdleAgents(options)
  expect(queue).toEqual([])

  options.host.advance(minuteMs)
  await enqueueIdleAgents(options)
  expect(queue).toMatchObject([{ dedupeKey: 'ada' }])
  await runQueue()
  expect(await findHead(db, 'ada')).toMatchObject({ revision: 1 })
  options.host.advance(600 * minuteMs)
  await enqueueIdleAgents(options)
  expect(queue).toEqual([])
})

onEachEngine('an agent with a live session is not enqueued', async (db) => {
  const { options, queue, startSession, endSession } = await withQueue(db)
  await endSession()
  options.host.advance(30 * minuteMs)
  await startSession({ sessionKey: 'two' })

  await enqueueIdleAgents(options)
  expect(queue).toEqual([])
})

onEachEngine('an agent without summaries is checked once, not each minute', async (db) => {
  const { options, queue, runQueue, endSession } = await withQueue(db)
  await endSession()
  options.host.advance(30 * minuteMs)
  await enqueueIdleAgents(options)
  expect(queue).toHaveLength(1)
  await runQueue()

  options.host.advance(minuteMs)
  await enqueueIdleAgents(options)
  expect(queue).toEqual([])
})

onEachEngine('a requested refresh ignores the minimum interval', async (db) => {
  const { options, runQueue, captureSummary } = await withQueue(db)
  await captureSummary()
  for (const _ of [1, 2]) {
    options.host.advance(minuteMs)
    await requestRefresh(options, 'ada')
    await runQueue()
    const writtenAt = options.host.now().toISOString()
    expect(await findHead(db, 'ada')).toMatchObject({ writtenAt })
  }
})

onEachEngine('an archived agent leaves a copy of its file, a purged agent nothing', async (db) => {
  const { options, synthesis, captureSummary, runQueue } = await withQueue(db)
  const folder = join(options.folder, 'agents/ada')
  const render = async () => {
    await captureSummary()
    await synthesis.requestRefresh('ada')
    await runQueue()
    expect(await exists(join(folder, 'MEMORY.md'))).toBe(true)
  }
  await render()

  await synthesis.agentRemoval.archive(db, 'ada')
  await runQueue()
  expect(await findHead(db, 'ada')).toBeUndefined()
  expect(await readdir(folder)).toEqual(['memory'])
  expect(await readdir(join(folder, 'memory'))).toHaveLength(1)
  options.host.advance(60 * minuteMs)
  await render()
  await synthesis.agentRemoval.purge(db, 'ada')
  await runQueue()
  expect(await readdir(folder)).toEqual(['memory'])
  expect(await readdir(join(folder, 'memory'))).toEqual([])
})
