import { expect } from 'vitest'
import type { RepairAction } from '../../kernel/capability/repair.ts'
import type { Db } from '../../kernel/db/database.ts'
import { createLog } from '../../kernel/log/log.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { autonomousSettings, repairSettings } from './config.ts'
import { maintain, sweep } from './maintenance.ts'
import { repairMigrations } from './migrations.ts'
import type { RepairNeeds } from './needs.ts'
import { createRepairRunner, type RepairRequest } from './run-repair.ts'
import { findRun, listRuns } from './store/runs.ts'

const onEachEngine = testOnEachEngine(repairMigrations)
const person = { name: 'ada', type: 'operator', reason: 'test', requestId: 'r1', agentId: 'fern' }
const requeue = { name: 'requeue-dead', actor: person, input: {}, dryRun: false } as const
const clean = { ...requeue, name: 'clean-orphans' } as const

const twoJobs = async () => ({ affected: 2, next: null })
const oneSlice: RepairAction = {
  name: 'requeue-dead',
  run: ({ save }) => save(twoJobs),
  describe: ({ affected }) => `Requeued ${affected} jobs.`,
}

interface Given {
  readonly actions?: readonly RepairAction[]
  readonly host?: ReturnType<typeof manualClockHost>
  readonly autonomous?: object
  readonly frozen?: boolean
  readonly exclusive?: boolean
  readonly fixes?: readonly string[]
}

/** Two with one database are two daemons. */
function daemon(db: Db, given: Given = {}) {
  const {
    actions = [oneSlice],
    host = manualClockHost(),
    frozen = false,
    exclusive = false,
  } = given
  const fixes = given.fixes ?? []
  const recorded: unknown[] = []
  const reasons = fixes.map((command) => ({ fix: { command } }))
  const needs: RepairNeeds = {
    db,
    host,
    log: createLog('silent'),
    repairs: { list: () => actions },
    exclusive,
    secretPolicy: () => 'redact',
    recordSystemEvent: async (_, event) => void recorded.push(event),
    report: async () => ({ domains: new Map([['index', { reasons }]]) }),
    settings: () => ({
      repair: repairSettings.schema.parse(undefined),
      autonomous: autonomousSettings.schema.parse(given.autonomous),
      mutationsFrozen: frozen,
    }),
  }
  const runner = createRepairRunner(needs)
  return { ...runner, host, recorded, needs: { ...needs, runner } }
}

async function outcomeOf(run: Promise<unknown>): Promise<unknown> {
  const { denial, run: ended, status } = Object(await run)
  return status === 'denied' ? denial.code : `${ended?.state ?? status} ${ended?.affected ?? ''}`
}

onEachEngine('a success closes the repair for its cooldown, also in another daemon', async (db) => {
  const { host, run } = daemon(db)

  expect(await outcomeOf(run(requeue))).toBe('succeeded 2')
  const other = daemon(db, { host })
  host.advance(59_999)
  const denied = await other.run(requeue)
  host.advance(1)
  const now = host.now().getTime()

  expect(denied).toMatchObject({ status: 'denied', denial: { code: 'cooldown', retryAt: now } })
  expect(await outcomeOf(other.run(requeue))).toBe('succeeded 2')
  expect(await listRuns(db, { limit: 10 })).toHaveLength(2)
})

onEachEngine('a repair runs as often in an hour as its budget allows', async (db) => {
  const actions = [{ ...oneSlice, name: 'deduplicate' }]
  const { host, run } = daemon(db, { actions })
  const merge = { ...requeue, name: 'deduplicate' } as const
  const outcomes: unknown[] = []
  for (let round = 0; round < 4; round++) {
    outcomes.push(await outcomeOf(run(merge)))
    host.advance(600_000)
  }

  expect(outcomes).toEqual([...Array(3).fill('succeeded 2'), 'hourly_budget'])
  host.advance(1_800_000)
  expect(await outcomeOf(run(merge))).toBe('succeeded 2')
})

onEachEngine(
  'each success is an event of the history, a denial and a dry run add none',
  async (db) => {
    const previewed: RepairAction = {
      ...oneSlice,
      run: ({ dryRun, save }) => (dryRun ? twoJobs() : save(twoJobs)),
    }
    const { host, recorded, run } = daemon(db, { actions: [previewed] })
    await run(requeue)
    await run(requeue)
    await run({ ...requeue, dryRun: true })

    const metadata = { repairAction: 'requeueDeadJobs', affected: 2, message: 'Requeued 2 jobs.' }
    const at = host.now().toISOString()
    const { name: changedBy, type: actorType, reason, requestId } = person
    expect(recorded).toEqual([
      { id: expect.any(String), changedBy, actorType, reason, requestId, metadata, createdAt: at },
    ])
  },
)

onEachEngine('a clock that was set back does not extend the cooldown', async (db) => {
  const { host, run } = daemon(db)
  await run(requeue)
  host.advance(-86_400_000)

  expect(await outcomeOf(run(requeue))).toBe('succeeded 2')
})

onEachEngine('the policy denies all callers while frozen, and agents when disabled', async (db) => {
  const frozen = daemon(db, { autonomous: { frozen: true } })
  const disabled = daemon(db, { autonomous: { enabled: false } })
  const agent: RepairRequest = { ...requeue, actor: { ...person, type: 'agent' } }

  expect(await outcomeOf(frozen.run(requeue))).toBe('policy_denied')
  expect(await outcomeOf(disabled.run(agent))).toBe('policy_denied')
  expect(await outcomeOf(disabled.run(requeue))).toBe('succeeded 2')
  await expect(daemon(db, { frozen: true }).run(requeue)).rejects.toMatchObject({
    code: 'mutations_frozen',
  })
})

onEachEngine('a dry run has no row, no cooldown and no write', async (db) => {
  const { run } = daemon(db, {
    actions: [{ ...oneSlice, run: async () => ({ affected: 7, next: null }) }],
  })
  const writing = daemon(db)

  expect(await run({ ...requeue, dryRun: true })).toMatchObject({
    status: 'preview',
    progress: { affected: 7 },
    message: 'Requeued 7 jobs.',
  })
  await expect(writing.run({ ...requeue, dryRun: true })).rejects.toThrow('writes nothing')
  expect(await listRuns(db, { limit: 10 })).toEqual([])
  expect(await outcomeOf(writing.run(requeue))).toBe('succeeded 2')
})

onEachEngine('a repair runs once at a time, in this daemon and in others', async (db) => {
  const gate = Promise.withResolvers<void>()
  const waiting = {
    ...oneSlice,
    run: async (step: Parameters<RepairAction['run']>[0]) => {
      await gate.promise
      return oneSlice.run(step)
    },
  }
  const { host, run, running } = daemon(db, { actions: [waiting] })
  const first = run(requeue)
  await expect.poll(running).toEqual(['requeue-dead'])

  expect(await outcomeOf(run(requeue))).toBe('in_progress')
  expect(await outcomeOf(daemon(db, { host }).run(requeue))).toBe('in_progress')
  gate.resolve()
  expect(await outcomeOf(first)).toBe('succeeded 2')
})

/** Saves slices up to the fourth, and never returns from the slice at which its daemon dies. */
function sliced(diesAt?: number): RepairAction {
  return {
    name: 'clean-orphans',
    run: async ({ cursor, save }) => {
      const slice = Number(cursor ?? 0) + 1
      if (slice === diesAt) return new Promise<never>(() => {})
      return save(async () => ({ affected: 1, next: slice < 4 ? slice : null }))
    },
  }
}

onEachEngine('the next daemon continues a run at its last slice', async (db) => {
  const killed = daemon(db, { actions: [sliced(3)] })
  void killed.run(clean)
  await expect.poll(async () => (await listRuns(db, { limit: 1 }))[0]?.affected).toBe(2)
  const [{ id = '' } = {}] = await listRuns(db, { limit: 1 })

  const live = daemon(db, { host: killed.host, actions: [sliced()] })
  await live.resume()
  expect(await findRun(db, id)).toMatchObject({ state: 'running', affected: 2 })
  killed.host.advance(300_001)
  await live.resume()

  const ended = { state: 'succeeded', affected: 4, position: null, owner: null }
  expect(await findRun(db, id)).toMatchObject(ended)
})

onEachEngine('with a database of its own, a daemon continues immediately', async (db) => {
  const { host, run } = daemon(db, { actions: [sliced(2)] })
  void run(clean)
  await expect.poll(async () => (await listRuns(db, { limit: 1 }))[0]?.affected).toBe(1)

  await daemon(db, { host, exclusive: true, actions: [sliced()] }).resume()

  expect(await listRuns(db, { limit: 2 })).toMatchObject([{ state: 'succeeded', affected: 4 }])
})

onEachEngine('a daemon that stops leaves the rest to the next one', async (db) => {
  const started = Promise.withResolvers<void>()
  const endless: RepairAction = {
    name: 'clean-orphans',
    run: ({ save }) => {
      started.resolve()
      return save(async () => ({ affected: 1, next: 'more' }))
    },
  }
  const { host, run, stop } = daemon(db, { actions: [endless] })
  const running = run(clean)
  await started.promise
  await stop()
  expect(await outcomeOf(running)).toMatch(/^running \d+$/)
  await daemon(db, { host, actions: [sliced()] }).resume()
  expect(await listRuns(db, { limit: 2 })).toMatchObject([{ state: 'succeeded', position: null }])
})

onEachEngine('a run that ends at its budget is continued by the next one', async (db) => {
  const host = manualClockHost()
  const slow = sliced()
  const actions = [
    {
      ...slow,
      run: (step: Parameters<RepairAction['run']>[0]) => {
        host.advance(16_000)
        return slow.run(step)
      },
    },
  ]
  const { run } = daemon(db, { actions, host })

  expect(await run(clean)).toMatchObject({ run: { state: 'succeeded', affected: 2 } })
  host.advance(300_000)
  expect(await run(clean)).toMatchObject({ run: { affected: 2, position: null } })
})

onEachEngine(
  'the parts of a repair run one after another, and their figures add up',
  async (db) => {
    const part = (counts: Record<string, number>): RepairAction => ({
      name: 'clean-orphans',
      run: ({ cursor, save }) =>
        save(async () => ({ affected: 1, counts, next: cursor === null ? 'again' : null })),
    })
    const { run } = daemon(db, { actions: [part({ vectors: 2 }), part({ links: 1 })] })

    expect(await run(clean)).toMatchObject({
      run: { affected: 4, counts: { vectors: 4, links: 2 }, message: 'The repair changed 4 rows.' },
    })
  },
)

onEachEngine('a fault fails the run with a fixed message and costs no cooldown', async (db) => {
  const actions = [{ ...oneSlice, run: () => Promise.reject(new Error('inner words')) }]
  const { host, run } = daemon(db, { actions })

  expect(await run(requeue)).toMatchObject({
    run: { state: 'failed', message: 'The repair failed. The log has the reason.' },
  })
  expect(await outcomeOf(daemon(db, { host }).run(requeue))).toBe('succeeded 2')
})

onEachEngine('maintenance runs what diagnostics name, and only observes by default', async (db) => {
  const fixes = ['reverie repair requeue-dead', 'reverie doctor', 'reverie repair unknown']
  await maintain(daemon(db, { fixes }).needs)
  expect(await listRuns(db, { limit: 10 })).toEqual([])

  await maintain(daemon(db, { fixes, autonomous: { maintenanceMode: 'execute' } }).needs)

  expect(await listRuns(db, { limit: 10 })).toMatchObject([
    { action: 'requeue-dead', state: 'succeeded', actor: { name: 'daemon', type: 'daemon' } },
  ])
})

onEachEngine('the sweep runs as a repair and deletes runs after 90 days', async (db) => {
  const host = manualClockHost()
  await daemon(db, { host }).run(requeue)
  host.advance(90 * 86_400_000 + 1)
  await sweep(daemon(db, { host, actions: [{ ...oneSlice, name: 'retention-sweep' }] }).needs)

  expect((await listRuns(db, { limit: 10 })).map(({ action }) => action)).toEqual([
    'retention-sweep',
  ])
})
