import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import {
  damage,
  damageWorkspace,
  listUnfinished,
  readCheckpoint,
} from '../support/damage-workspace.ts'
import { inspectDatabase } from '../support/inspect-database.ts'
import { isLong, sampleRounds } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { type Service, startService } from '../support/start-service.ts'

const pollOptions = { timeout: 30_000, interval: 100 }
const unlimited = {
  reembedCooldownMs: 0,
  requeueCooldownMs: 0,
  dedupCooldownMs: 0,
  reembedHourlyBudget: 1_000,
  requeueHourlyBudget: 1_000,
  dedupHourlyBudget: 1_000,
}
/** Nothing but repairs writes to the database. */
const config = {
  embedding: { provider: 'none' },
  telemetry: { enabled: false },
  memory: { pipelineV2: { repair: unlimited } },
}

const bodies: Readonly<Record<string, object>> = {
  'retention-sweep': {},
  'clean-orphans': {},
  deduplicate: {},
  'check-fts': { repair: true },
  'rebuild-indexes': {},
  'resync-vec': {},
  'relink-entities': {},
  'release-leases': {},
}
const names = Object.keys(bodies)
/** The check of the text index has a fixed budget of five runs an hour. */
const namesAfterwards = names.filter((name) => name !== 'check-fts')

const repair = (service: Service, name: string, body: object = {}) =>
  service.ask(`POST /api/repair/${name}`, { role: 'admin', body: { ...bodies[name], ...body } })

interface Run {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly affected: number
}

async function listRuns(service: Service, filter = ''): Promise<readonly Run[]> {
  const path = `GET /api/repair/runs?limit=500${filter}`
  return (await service.ask(path, { role: 'admin' })).body['runs'] as Run[]
}

const isIdle = (service: Service) =>
  expect.poll(async () => (await listRuns(service, '&state=running')).length, pollOptions).toBe(0)

test('repairs that are killed continue, and change each row once', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace, engine: 'sqlite', config })
  onTestFinished(() => service.stop())
  await service.kill()
  const rounds = sampleRounds(
    [20, 1, 3, 6, 10, 15, 30, 40, 50, 80, 100, 130, 160, 200, 250, 300, 400, 500, 700, 60],
    2,
  )
  const continued = new Set<string>()
  for (const [round, afterMs] of rounds.entries()) {
    damageWorkspace(workspace, round)
    await service.restart()
    await isIdle(service)

    const running = (round < 2 ? names : namesAfterwards).map((name) => repair(service, name))
    await Promise.race([Promise.allSettled(running), pause(afterMs)])
    await service.kill()
    await Promise.allSettled(running)
    for (const id of listUnfinished(workspace)) continued.add(id)
  }
  await service.restart()
  await isIdle(service)

  await repair(service, 'check-fts')
  for (const name of names)
    await expect
      .poll(async () => (await repair(service, name)).body, pollOptions)
      .toMatchObject({ success: true, affected: 0 })
  const runs = await listRuns(service)
  const sumOf = (name: string) =>
    runs.filter((run) => run.name === name).reduce((sum, { affected }) => sum + affected, 0)
  const { tombstones, deadJobs, orphans, pairs } = damage
  expect([...new Set(runs.map(({ state }) => state))]).toEqual(['succeeded'])
  expect(sumOf('retention-sweep')).toBe(rounds.length * (tombstones + deadJobs))
  expect(sumOf('clean-orphans')).toBe(rounds.length * orphans)
  expect(sumOf('deduplicate')).toBe(rounds.length * pairs)
  expect(inspectDatabase(workspace)).toEqual([])
  if (isLong) expect(continued.size).toBeGreaterThan(5)
  expect(runs.filter(({ id }) => continued.has(id))).toHaveLength(continued.size)
}, 300_000)

test('a dry run of every repair leaves the database byte for byte', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace, engine: 'sqlite', config })
  onTestFinished(() => service.stop())
  await service.kill()
  damageWorkspace(workspace, 0)
  await service.restart()
  const affected: Record<string, unknown> = {}
  const isUnchanged = async () => {
    const before = readCheckpoint(workspace)
    for (const name of [...names, 'requeue-dead', 're-embed', 're-embed-migration']) {
      const { status, body } = await repair(service, name, { dryRun: true, repair: undefined })
      expect([name, status]).toEqual([name, 200])
      affected[name] = body['affected']
    }
    return readCheckpoint(workspace).equals(before)
  }

  // A timer of the daemon may write during a round, but not during each.
  await expect.poll(isUnchanged, pollOptions).toBe(true)
  expect(await listRuns(service)).toEqual([])
  expect(affected).toMatchObject({
    'retention-sweep': damage.tombstones + damage.deadJobs,
    'clean-orphans': damage.orphans,
    deduplicate: damage.pairs,
    'check-fts': 1,
    'requeue-dead': 50,
  })
})

test('of two daemons on one server one repairs, and the other continues after a kill', async () => {
  const { url, stop } = await startPostgres()
  onTestFinished(() => stop())
  const start = async () => {
    const service = await startService({
      engine: 'sqlite',
      config: { ...config, database: { url }, memory: {} },
    })
    onTestFinished(() => service.stop())
    return service
  }
  const [one, other] = [await start(), await start()]
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  const orphans = 10_000
  await client.query(`insert into memory_vectors
      (memory_id, agent_id, identity, passage, dims, content_hash, vector, created_at)
    select 'o' || n, 'ada', 'a model', 0, 1, 'none', '\\x00000000'::bytea, '2026-01-01'
      from generate_series(1, ${orphans}) n`)

  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, at) => repair(at % 2 ? one : other, 'release-leases')),
  )
  const codes = replies.map(({ status, body }) => body['code'] ?? status)
  const denials = codes.filter((code) => code === 'cooldown' || code === 'in_progress')
  expect([codes.length - denials.length, codes]).toEqual([1, expect.arrayContaining([200])])

  const killed = repair(one, 'clean-orphans').catch(() => undefined)
  const readRun = async () =>
    (await client.query(`select * from repair_runs where action = 'clean-orphans'`)).rows[0]
  await expect.poll(async () => (await readRun())?.affected, { interval: 5 }).toBeGreaterThan(0)
  await one.kill()
  await killed
  expect((await repair(other, 'clean-orphans')).body['code']).toBe('in_progress')
  await client.query(`update repair_runs set lease_until = '2026-01-01' where state = 'running'`)
  const { body } = await repair(other, 'clean-orphans')
  const { affected } = await readRun()
  expect(affected).toBeLessThan(orphans)
  expect(body).toMatchObject({ success: true, affected: orphans - affected })
}, 60_000)
