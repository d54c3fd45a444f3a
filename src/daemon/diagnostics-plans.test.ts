import { describe, expect, test } from 'vitest'
import { createRows } from '../capabilities/memory/store/plans.fixture.ts'
import { readConfig } from '../kernel/config/config.ts'
import { readEnvironment } from '../kernel/config/environment.ts'
import { createLiveConfig } from '../kernel/config/live-config.ts'
import type { Database } from '../kernel/db/database.ts'
import { realHost } from '../kernel/host/host.ts'
import { createLog, openLog } from '../kernel/log/log.ts'
import { callerFor } from '../kernel/testing/caller-for.ts'
import { openTestPostgres, openTestSqlite } from '../kernel/testing/engines.ts'
import { noChildLedger } from '../kernel/testing/no-child-ledger.ts'
import {
  createPlanRecorder,
  isLong,
  runStatement,
  scansOf,
  tidyServer,
} from '../kernel/testing/plan-of.ts'
import { temporaryFolder } from '../kernel/testing/temporary-folder.ts'
import { createDaemon, settingsSections } from './daemon.ts'

const count = isLong ? 100_000 : 5_000
const timesOf = {
  sqlite: (seconds: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`,
  postgres: (seconds: string) =>
    `to_char(to_timestamp(${seconds}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
} as const

/** A daemon that never listens, over a database whose queries are recorded. */
async function startDaemon(database: Database) {
  const folder = await temporaryFolder()
  const environment = readEnvironment({ SVC_PATH: folder })
  const host = realHost
  const recorder = createPlanRecorder(database.db)
  const ignore = () => undefined
  const daemon = await createDaemon({
    children: noChildLedger,
    database: { ...database, db: recorder.db, background: recorder.db },
    host,
    log: createLog('silent'),
    entries: openLog({ level: 'silent' }),
    config: createLiveConfig({
      started: await readConfig(environment, settingsSections),
      environment,
      sections: settingsSections,
      host,
      onProblem: ignore,
      onFault: ignore,
    }),
    tokenSecret: Buffer.alloc(0),
    loop: { read: () => ({ p50Ms: 0, p99Ms: 0, maxMs: 0, slowest: null }) },
    self: {
      version: '0.1.0',
      workspace: folder,
      agentId: '',
      mode: '',
      bindHost: '',
      logDir: '',
      logPaths: [],
      engine: database.engine,
      databaseFile: null,
      databaseServer: null,
      startedAt: host.now(),
      port: () => null,
      stopping: () => false,
    },
  })
  return { ...daemon, plansOf: recorder.plansOf }
}

/** Counters, of which there are as many as agents, projects and models. */
const hasFewRows = /\bmemory_counts\b/

describe.each([
  { engine: 'sqlite', open: openTestSqlite },
  { engine: 'postgres', open: openTestPostgres },
] as const)('$engine', ({ engine, open }) => {
  test('a request for diagnostics scans no table', async () => {
    const database = await open()
    const { plansOf, routes, schedules, stop } = await startDaemon(database)
    for (const statement of createRows(timesOf[engine], count))
      await runStatement(database.db, statement)
    if (engine === 'postgres') await tidyServer(database.db)
    // A timer measures the figures that need a scan.
    const { signal } = new AbortController()
    for (const { name, run } of schedules) if (name.endsWith('.measure')) await run(signal)
    const call = (name: string) =>
      routes.find((route) => route.name === name)?.handle({ caller: callerFor('ada') } as never)

    const plans = await plansOf(async () => call('diagnostics.report'))
    await stop()

    expect(plans.size).toBeGreaterThan(10)
    const scans = [...plans].flatMap(([query, plan]) => scansOf(plan).map((scan) => [query, scan]))
    expect(scans.filter(([, scan = '']) => !hasFewRows.test(scan))).toEqual([])
  }, 120_000)
})
