import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { toCleanText } from '../../../kernel/hygiene/clean-text.ts'
import { completeCompaction } from '../complete-compaction.ts'
import { begin, hook, hooksNeeds, onEachEngine } from '../hooks.fixture.ts'
import { createHooks } from '../index.ts'
import { endSession } from '../session-end.ts'
import { findHead } from './store.ts'
import { wakeIdle } from './worker.ts'

const minuteMs = 60_000

/** Jobs are kept, and done when the test says so. */
async function working(db: Db) {
  const given = await hooksNeeds(db)
  const { needs } = given
  const kinds = new Map<string, { run(task: object): Promise<unknown> }>()
  const waiting: {
    readonly kind: string
    readonly dedupeKey?: string
    readonly payload?: unknown
  }[] = []
  const jobs: typeof needs.jobs = {
    enqueue: async (_, job) => {
      waiting.push(job)
      return { id: job.kind, deduped: false }
    },
  }
  const hooks = createHooks({ ...needs, jobs })
  for (const kind of hooks.jobs) kinds.set(kind.kind, kind as never)
  const work = async () => {
    for (const { kind, payload } of waiting.splice(0)) await kinds.get(kind)?.run({ payload })
  }
  const capture = () =>
    needs.transcripts.keepArtifact({
      ...{ agentId: 'ada', sessionKey: 'one', harness: 'codex', kind: 'summary' },
      ...{
        body: toCleanText('We painted the barn red.'),
        capturedAt: needs.host.now().toISOString(),
      },
    })
  return { ...given, hooks, needs: { ...needs, jobs }, waiting, work, capture }
}

const there = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

onEachEngine(
  'an agent that has been at rest for a while has its MEMORY.md written once',
  async (db) => {
    const { needs, waiting, work, capture } = await working(db)
    await begin(needs)
    await capture()
    await wakeIdle(needs)
    expect(waiting).toEqual([])
    await endSession(needs, { hook: hook() })
    needs.host.advance(14 * minuteMs)
    await wakeIdle(needs)
    expect(waiting).toEqual([])

    needs.host.advance(minuteMs)
    await wakeIdle(needs)
    expect(waiting).toMatchObject([{ dedupeKey: 'ada' }])
    await work()
    expect(await findHead(db, 'ada')).toMatchObject({ revision: 1 })
    needs.host.advance(600 * minuteMs)
    await wakeIdle(needs)
    expect(waiting).toEqual([])
  },
)

onEachEngine('an agent with a session that goes on is left alone', async (db) => {
  const { needs, waiting } = await working(db)
  await endSession(needs, { hook: hook() })
  needs.host.advance(30 * minuteMs)
  await begin(needs, { hook: hook({ sessionKey: 'two' }) })

  await wakeIdle(needs)
  expect(waiting).toEqual([])
})

onEachEngine('where there is nothing to tell it is looked once and not each minute', async (db) => {
  const { needs, waiting, work } = await working(db)
  await endSession(needs, { hook: hook() })
  needs.host.advance(30 * minuteMs)
  await wakeIdle(needs)
  expect(waiting).toHaveLength(1)
  await work()

  needs.host.advance(minuteMs)
  await wakeIdle(needs)
  expect(waiting).toEqual([])
})

onEachEngine('a compaction has it written at once', async (db) => {
  const { needs, work } = await working(db)
  await completeCompaction(needs, { hook: hook(), summary: 'The barn was painted red by us.' })

  await work()

  expect(await findHead(db, 'ada')).toMatchObject({ revision: 1 })
})

onEachEngine('it goes with its agent, to a copy or for good', async (db) => {
  const { needs, hooks, capture, work } = await working(db)
  const folder = join(needs.folder, 'agents/ada')
  const render = async () => {
    await capture()
    await completeCompaction(needs, { hook: hook(), summary: 'The barn was painted red by us.' })
    await work()
    expect(await there(join(folder, 'MEMORY.md'))).toBe(true)
  }
  await render()

  await hooks.agentRemoval.archive(db, 'ada')
  await work()
  expect(await findHead(db, 'ada')).toBeUndefined()
  expect(await readdir(folder)).toEqual(['memory'])
  expect(await readdir(join(folder, 'memory'))).toHaveLength(1)
  needs.host.advance(60 * minuteMs)
  await render()
  await hooks.agentRemoval.purge(db, 'ada')
  await work()
  expect(await readdir(folder)).toEqual(['memory'])
  expect(await readdir(join(folder, 'memory'))).toEqual([])
})
