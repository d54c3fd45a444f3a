import { describe, expect, test } from 'vitest'
import { createRows } from '../capabilities/memory/store/plans.fixture.ts'
import { openTestPostgres, openTestSqlite } from '../kernel/testing/engines.ts'
import {
  createPlanRecorder,
  isLong,
  runStatement,
  scansOf,
  tidyServer,
} from '../kernel/testing/plan-of.ts'
import { daemonFixture } from './daemon.fixture.ts'

const count = isLong ? 100_000 : 5_000
const timesOf = {
  sqlite: (seconds: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`,
  postgres: (seconds: string) =>
    `to_char(to_timestamp(${seconds}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
} as const

/** Connectors, and counters: as many as agents, projects and models. */
const hasFewRows = /\b(memory_counts|connectors)\b/
/** In a long run a server scans the tables that are empty here. */
const isFilled = /\b(memories|memory_\w+)\b/

describe.each([
  { engine: 'sqlite', open: openTestSqlite },
  { engine: 'postgres', open: openTestPostgres },
] as const)('$engine', ({ engine, open }) => {
  test('a request for diagnostics scans no table', async () => {
    const database = await open()
    const { db, plansOf } = createPlanRecorder(database.db)
    const daemon = await daemonFixture({ ...database, db, background: db })
    for (const statement of createRows(timesOf[engine], count))
      await runStatement(database.db, statement)
    if (engine === 'postgres') await tidyServer(database.db)
    await daemon.measure()

    const plans = await plansOf(() => daemon.call('diagnostics.report'))
    await daemon.stop()

    expect(plans.size).toBeGreaterThan(10)
    const scans = [...plans].flatMap(([query, plan]) => scansOf(plan).map((scan) => [query, scan]))
    const isLarge = (scan = '') => !hasFewRows.test(scan) && (!isLong || isFilled.test(scan))
    expect(scans.filter(([, scan]) => isLarge(scan))).toEqual([])
  }, 300_000)
})
