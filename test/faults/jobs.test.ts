import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { bundleProgram } from '../support/bundle-program.ts'
import { makeFolder } from '../support/make-folder.ts'

const fixture = new URL('../../src/kernel/jobs/work-and-die.fixture.ts', import.meta.url)
const program = await bundleProgram(fixture)

test('every acknowledged job of a killed process ends', async () => {
  const file = join(await makeFolder(), 'jobs.db')
  const acceptedIds: string[] = []
  for (const killAfter of [5, 20, 60, 90])
    acceptedIds.push(...(await work(file, { count: 100, killAfter })).acknowledged)

  const { code } = await work(file)

  expect(code).toBe(0)
  expect(acceptedIds.length).toBeGreaterThanOrEqual(175)
  const jobs = readJobs(file)
  expect(acceptedIds.filter((id) => jobs.get(id)?.state !== 'completed')).toEqual([])
  expect([...jobs.values()].filter(({ state }) => state !== 'completed')).toEqual([])
  const ran = new Set((await readFile(`${file}.ran`, 'utf8')).split('\n'))
  expect(acceptedIds.filter((id) => !ran.has(id))).toEqual([])
})

test('a job that kills its process is abandoned, and the others complete', async () => {
  const file = join(await makeFolder(), 'jobs.db')
  const { acknowledged, code } = await work(file, { count: 10, deadly: true })
  expect(code).toBe('SIGKILL')

  // The first attempt was the killed one.
  expect([(await work(file)).code, (await work(file)).code]).toEqual(['SIGKILL', 'SIGKILL'])
  expect((await work(file)).code).toBe(0)

  const jobs = readJobs(file)
  const deadly = acknowledged.at(-1) ?? ''
  expect(acknowledged).toHaveLength(11)
  expect(jobs.get(deadly)).toEqual({ state: 'dead', attempts: 3, reason: 'lease_expired' })
  jobs.delete(deadly)
  expect(new Set([...jobs.values()].map(({ state }) => state))).toEqual(new Set(['completed']))
})

interface Work {
  readonly count?: number
  readonly killAfter?: number
  readonly deadly?: boolean
}

/** Runs the jobs in a separate process; returns the ids that it acknowledged. */
async function work(file: string, { count = 0, killAfter, deadly = false }: Work = {}) {
  const child = spawn(process.execPath, [program, file, String(count), deadly ? 'deadly' : ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged: string[] = []
  const ended = once(child, 'close')
  for await (const id of createInterface(child.stdout)) {
    acknowledged.push(id)
    if (acknowledged.length === killAfter) child.kill('SIGKILL')
  }
  const [code, signal] = await ended
  return { acknowledged, code: (code ?? signal) as number | string }
}

interface Row {
  readonly id: string
  readonly state: string
  readonly attempts: number
  readonly reason: string | null
}

function readJobs(file: string) {
  const database = new Sqlite(file, { readonly: true })
  const rows = database.prepare('select id, state, attempts, reason from jobs').all() as Row[]
  database.close()
  return new Map(rows.map(({ id, ...job }) => [id, job]))
}
