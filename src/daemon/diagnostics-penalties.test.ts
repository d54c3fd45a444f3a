import { expect, test } from 'vitest'
import type { Db } from '../kernel/db/database.ts'
import { createProviderCalls } from '../kernel/health/provider-calls.ts'
import { realHost } from '../kernel/host/host.ts'
import { openTestPostgres, openTestSqlite, startPostgresAhead } from '../kernel/testing/engines.ts'
import { runStatement } from '../kernel/testing/plan-of.ts'
import { daemonFixture } from './daemon.fixture.ts'
import { providerDomain } from './kernel-domains.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const ago = (ms: number) => `'${new Date(realHost.now().getTime() - ms).toISOString()}'`

interface Job {
  readonly state: string
  readonly ageMs: number
  readonly count?: number
}

async function insertJobs(db: Db, { state, ageMs, count = 1 }: Job): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await runStatement(
      db,
      `insert into jobs (id, kind, payload, state, priority, attempts, max_attempts, run_after,
         created_at, updated_at)
       values ('${state}${number}', 'absent', '{}', '${state}', 0, 0, 3, ${ago(0)}, ${ago(ageMs)},
         ${ago(0)})`,
    )
}

interface Memory {
  readonly id: string
  readonly hash?: string
  readonly visibility?: string
  readonly deletedAt?: string
}

async function insertMemory(db: Db, memory: Memory): Promise<void> {
  const { id, hash = id, visibility = 'global', deletedAt = 'null' } = memory
  await runStatement(
    db,
    `insert into memories (id, agent_id, visibility, content, content_hash, type, memory_kind,
       importance, pinned, who, source_type, extraction_status, version, revision, created_at,
       updated_at, updated_by, deleted_at, evidence)
     values ('${id}', 'ada', '${visibility}', 'fern ${id}', '${hash}', 'fact', 'episodic', 0.5, 0,
       'ada', 'manual', 'none', 1, 1, ${ago(0)}, ${ago(0)}, 'ada', ${deletedAt}, '')`,
  )
}

/** One state for each penalty of the domains that read the database. */
async function damage(db: Db, engine: string): Promise<void> {
  await insertJobs(db, { state: 'pending', ageMs: 6 * minuteMs, count: 51 })
  await insertJobs(db, { state: 'leased', ageMs: 11 * minuteMs })
  await insertJobs(db, { state: 'dead', ageMs: minuteMs })
  for (let number = 0; number < 6; number += 1) await insertMemory(db, { id: `m${number}` })
  for (const visibility of ['global', 'private'])
    await insertMemory(db, { id: `twin-${visibility}`, hash: 'twin', visibility })
  for (let number = 0; number < 5; number += 1) {
    await insertMemory(db, { id: `gone${number}`, deletedAt: ago(hourMs) })
    // The text index of a server is a column, which cannot have more rows than the table.
    if (engine === 'sqlite')
      await runStatement(
        db,
        `insert into memories_fts (rowid, content) values (${9_000 + number}, 'stray')`,
      )
  }
  for (let number = 0; number < 6; number += 1)
    await runStatement(
      db,
      `insert into memory_history (id, memory_id, event, changed_by, actor_type, created_at)
       values ('h${number}', 'm0', 'recovered', 'ada', 'operator', ${ago(hourMs)})`,
    )
  for (const [id, status, ageMs] of [
    ['c-old', 'error', 25 * hourMs],
    ['c-new', 'error', hourMs],
    ['c-busy', 'syncing', 0],
  ] as const)
    await runStatement(
      db,
      `insert into connectors (id, agent_id, provider, display_name, settings_json, enabled, status,
         created_at, updated_at)
       values ('${id}', 'ada', 'filesystem', 'notes', '{}', 1, '${status}', ${ago(ageMs)}, ${ago(ageMs)})`,
    )
}

startPostgresAhead()

test.each([
  { engine: 'sqlite', open: openTestSqlite },
  { engine: 'postgres', open: openTestPostgres },
] as const)(
  'each penalty is reached by a real state ($engine)',
  async ({ engine, open }) => {
    const database = await open()
    const clock = { offsetMs: 0 }
    const host = { ...realHost, now: () => new Date(realHost.now().getTime() + clock.offsetMs) }
    const daemon = await daemonFixture(database, host)
    const read = async () => {
      await daemon.measure()
      return Object(await daemon.call('diagnostics.report'))
    }
    expect((await read()).composite).toEqual({ score: 1, status: 'healthy' })

    await damage(database.db, engine)
    // The report is cached for five seconds.
    clock.offsetMs += 6_000
    const report = await read()
    const codes = (domain: string) => [
      report[domain].score,
      ...report[domain].reasons.map(({ code }: { readonly code: string }) => code),
    ]
    expect(codes('queue')).toEqual([0, 'queue_depth', 'dead_rate', 'oldest_age', 'lease_anomalies'])
    expect(codes('storage')).toEqual([0.7, 'tombstones'])
    expect(codes('mutation')).toEqual([0.7, 'recovers'])
    expect(codes('duplicate')).toEqual([0.5, 'duplicates'])
    const mismatch = engine === 'sqlite' ? [0.2, 'coverage', 'fts_mismatch'] : [0.7, 'coverage']
    expect(codes('index')).toEqual(mismatch)
    expect(codes('connector')).toEqual([0.5, 'connector_failed', 'connector_failing_long'])
    expect(report.connector).toMatchObject({
      configured: true,
      connectorCount: 3,
      syncingCount: 1,
      errorCount: 2,
      reasons: [{ fix: { command: 'reverie connector sync c-old' } }, {}],
    })
    const index = engine === 'sqlite' ? 0.2 : 0.7
    const sum = 0.2 + 0.15 * index + 0.1 * 0.7 + 0.1 + 0.08 * 0.7 + 0.05 * 0.5 + 0.05 + 0.04 * 0.5
    expect(report.composite).toEqual({ score: expect.closeTo(sum, 6), status: 'unhealthy' })

    for (let number = 10; number < 18; number += 1)
      await insertMemory(database.db, { id: `m${number}` })
    await runStatement(database.db, `update connectors set status = 'idle' where id = 'c-old'`)
    clock.offsetMs += 6_000
    const later = await read()
    expect([later.duplicate.score, later.connector.score]).toEqual([0.7, 0.7])
    await daemon.stop()
  },
  120_000,
)

test('the score of the providers is the share of their successful calls', async () => {
  const calls = createProviderCalls()
  const domain = providerDomain(calls)
  expect(await domain.check()).toMatchObject({ fields: { availabilityRate: 1 }, findings: [] })
  for (const outcome of ['success', 'success', 'failure', 'timeout'] as const)
    calls.add({ provider: 'local', outcome, durationMs: 1 })

  expect(await domain.check()).toMatchObject({
    fields: { recentTotal: 4, recentFailures: 1, recentTimeouts: 1, availabilityRate: 0.5 },
    findings: [{ code: 'availability', penalty: 0.5 }],
  })
})
