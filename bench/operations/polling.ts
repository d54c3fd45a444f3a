// usage: node bench/operations/polling.ts [memories]
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { createRows } from '../../src/capabilities/memory/store/plans.fixture.ts'
import { type DaemonProcess, launchDaemon } from '../../test/support/daemon-process.ts'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, start, stop } from '../support/daemon.ts'
import { median } from '../support/timing.ts'

const count = Number(process.argv[2] ?? 100_000)
const rounds = 4
const windowMs = 10_000
const pollMs = 1_000
const recallPauseMs = 20
const preload = new URL('../support/loop-delay.ts', import.meta.url).href

/** Recalls without and with a poll of the diagnostics each second, in turn. */
await inWorkspace(async (workspace) => {
  await writeFile(join(workspace, 'agent.yaml'), 'embedding: { provider: none }\n')
  await stop((await start(workspace)).daemon)
  insertMemories(join(workspace, 'memory', 'memories.db'))
  const env = { NODE_OPTIONS: `--import=${preload}` }
  const daemon = await launchDaemon({ workspace, env })
  const call = throwOnError(createClient(daemon.url))
  await measure(call, daemon, false)
  const [alone, polled]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await measure(call, daemon, false))
    polled.push(await measure(call, daemon, true))
  }
  await stop(daemon)
  const [before, after] = [median(alone), median(polled)]
  process.stdout.write(
    `event-loop p99 with ${count} memories: ${before.toFixed(1)} ms, ${after.toFixed(1)} ms while diagnostics are polled: ${(after / before).toFixed(2)} ×\n`,
  )
})

function insertMemories(file: string): void {
  const database = new Database(file)
  const timeOf = (seconds: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`
  const [memories = ''] = createRows(timeOf, count)
  database.exec(memories)
  database.exec(`update memory_revision set value = ${count}`)
  database.close()
}

/** The 99th percentile of the event-loop delays of a window, in milliseconds. */
async function measure(call: Call, daemon: DaemonProcess, polls: boolean): Promise<number> {
  await readDelayMs(daemon)
  const endsAt = performance.now() + windowMs
  const repeat = async (operation: string, body: object | undefined, pauseMs: number) => {
    while (performance.now() < endsAt) {
      await call(operation, body)
      await pause(pauseMs)
    }
  }
  await Promise.all([
    repeat('POST /api/memory/recall', { query: 'word7 of 700' }, recallPauseMs),
    ...(polls ? [repeat('GET /api/diagnostics', undefined, pollMs)] : []),
  ])
  return readDelayMs(daemon)
}

async function readDelayMs(daemon: DaemonProcess): Promise<number> {
  const count = () => daemon.output().split('delayed by').length
  const before = count()
  daemon.signal('SIGUSR2')
  while (count() === before) await pause(5)
  return Number(/delayed by (?<ms>[\d.]+) ms\s*$/.exec(daemon.output())?.groups?.['ms'])
}
