// usage: node bench/http/run.ts [rows]
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DaemonProcess } from '../../test/support/daemon-process.ts'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, readCpuMs, readResidentMb, sizeOf, start, stop } from '../support/daemon.ts'
import { createRows, type Rows } from '../support/rows.ts'
import { median, type Timing, timeCalls, timeOpenLoop } from '../support/timing.ts'
import { type Direct, openDirect } from './direct.ts'
import { readVectorBytes } from './disk.ts'

const clients = 16
const rounds = 3
const served = 2_000
const count = Number(process.argv[2] ?? 10_000)
const rows = createRows()
const print = (text: string) => process.stdout.write(`${text}\n`)

await inWorkspace(async (workspace) => {
  print(`# ${count} memories of 200 characters, medians of ${rounds} rounds\n`)
  const emptyMs = await startThrice(workspace)
  const { daemon } = await start(workspace)
  const idleMb = await readResidentMb(daemon)
  const call = throwOnError(createClient(daemon.url))

  const ids: string[] = []
  const load = await timeCalls({ count, clients }, async (number) => {
    ids[number] = await remember(call, rows.content(number))
  })
  const direct = openDirect(workspace, rows, count)
  const storedRows = createCounter(count)
  print('| operation | clients | HTTP/s | p50 ms | p95 ms | p99 ms | CPU ms | direct/s | ratio |')
  print('|---|---|---|---|---|---|---|---|---|')
  for (const operation of operationsOn({ call, direct, ids, rows, storedRows }))
    print(await measure(daemon, operation))
  direct.close()

  const busyMb = await readResidentMb(daemon)
  const steady = await measureOpenLoop(daemon, { call, rows, storedRows })
  await stop(daemon)
  print('\n| | |\n|---|---|')
  print(`| process start to ready, empty workspace | ${emptyMs.toFixed(0)} ms |`)
  print(
    `| process start to ready, ${storedRows.reached()} memories | ${(await startThrice(workspace)).toFixed(0)} ms |`,
  )
  print(`| loading with ${clients} clients | ${load.perSecond.toFixed(0)} memories/s |`)
  print(`| resident, idle and empty | ${idleMb.toFixed(0)} MB |`)
  print(`| resident after the load and the operations | ${busyMb.toFixed(0)} MB |`)
  print(`| resident after a restart and ${served} recalls | ${await readServingMb(workspace)} MB |`)
  const folder = join(workspace, 'memory')
  if (existsSync(join(folder, 'memories.db'))) await printDisk(folder, storedRows.reached())
  for (const line of steady) print(line)
})

/**
 * Sends calls at a constant rate (open loop) for longer than the minute that the event-loop report
 * covers.
 */
async function measureOpenLoop(
  { url }: DaemonProcess,
  { call, rows, storedRows }: Pick<Parts, 'call' | 'rows' | 'storedRows'>,
): Promise<readonly string[]> {
  const seconds = 70
  const [recalls, remembers] = await Promise.all([
    timeOpenLoop({ perSecond: 100, seconds }, (number) => recall(call, rows.question(number))),
    timeOpenLoop({ perSecond: 50, seconds }, () => remember(call, rows.content(storedRows.next()))),
  ])
  const { body } = await createClient(url)('GET /health/live')
  const { p99, max } = body['eventLoop'] as { readonly p99: number; readonly max: number }
  const format = ({ p50Ms, p95Ms }: Timing) =>
    `p50 ${p50Ms.toFixed(2)} ms, p95 ${p95Ms.toFixed(2)} ms`
  return [
    `| 100 recalls/s and 50 remembers/s: recall | ${format(recalls)} |`,
    `| 100 recalls/s and 50 remembers/s: remember | ${format(remembers)} |`,
    `| 100 recalls/s and 50 remembers/s: event-loop delay over a minute | p99 ${p99} ms, max ${max} ms |`,
  ]
}

async function printDisk(folder: string, memories: number): Promise<void> {
  const size = await sizeOf(folder)
  const vectors = readVectorBytes(join(folder, 'memories.db'))
  const perMemory = (bytes: number) => `${(bytes / memories).toFixed(0)} bytes`
  print(`| disk per memory with its vector | ${perMemory(size)} |`)
  print(`| disk per memory without its vector | ${perMemory(size - vectors)} |`)
}

async function startThrice(workspace: string): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    const { daemon, startMs } = await start(workspace)
    times.push(startMs)
    await stop(daemon)
  }
  return median(times)
}

async function readServingMb(workspace: string): Promise<string> {
  const { daemon } = await start(workspace)
  const call = throwOnError(createClient(daemon.url))
  await timeCalls({ count: served, clients: 1 }, (number) => recall(call, rows.question(number)))
  const residentMb = await readResidentMb(daemon)
  await stop(daemon)
  return residentMb.toFixed(0)
}

function recall(call: Call, query: string): Promise<unknown> {
  return call('POST /api/memory/recall', { query, limit: 10 })
}

async function remember(call: Call, content: string): Promise<string> {
  return String((await call('POST /api/memory/remember', { content })).body['id'])
}

/** Numbers of rows that are not stored yet. */
function createCounter(from: number) {
  let next = from
  return { next: () => next++, reached: () => next }
}

interface Parts {
  readonly call: Call
  readonly direct: Direct
  readonly ids: readonly string[]
  readonly rows: Rows
  readonly storedRows: ReturnType<typeof createCounter>
}

interface Operation {
  readonly name: string
  readonly clients: number
  /** Calls per round. */
  readonly count: number
  /** The warm-up makes as many calls, because a running service is compiled. */
  readonly warm?: boolean
  over(number: number): Promise<unknown>
  /** Absent when there is no direct equivalent. */
  without?(number: number): unknown
}

function operationsOn({ call, direct, ids, rows, storedRows }: Parts): readonly Operation[] {
  const one = (number: number) => (number * 7919) % ids.length
  const read = (number: number) => call(`GET /api/memory/${ids[one(number)]}`)
  const write = () => remember(call, rows.content(storedRows.next()))
  const find = (number: number) => recall(call, rows.question(number))
  let insertedCount = count
  const writes = {
    name: 'remember',
    over: write,
    without: () => direct.insert(rows.content(insertedCount++)),
  }
  const reads = {
    name: 'get by id',
    over: read,
    without: (number: number) => direct.read(one(number)),
  }
  const list = { name: 'list, default page', over: () => call('GET /api/memories') }
  const finds = {
    name: 'recall',
    over: find,
    warm: true,
    without: (number: number) => direct.search(rows.question(number)),
  }
  return [
    { ...writes, clients: 1, count: 500 },
    { ...writes, clients, count: 3_000 },
    { ...reads, clients: 1, count: 1_000 },
    { ...reads, clients, count: 5_000 },
    { ...list, clients: 1, count: 100 },
    { ...finds, clients: 1, count: 200 },
    { ...finds, clients, count: 400 },
    {
      name: 'mixed: remember, get, recall',
      clients,
      count: 1_500,
      over: (number) => [write, read, find][number % 3]?.(number) ?? Promise.resolve(),
    },
  ]
}

/**
 * Lets this process detect connections that closed while it was busy, so that no measured call
 * uses one.
 */
function settleConnections(): Promise<void> {
  return pause(50)
}

async function measure(
  daemon: DaemonProcess,
  { name, clients, count, warm, over, without }: Operation,
): Promise<string> {
  const cpuMs: number[] = []
  const timings: Timing[] = []
  const direct: Timing[] = []
  await settleConnections()
  const measured = rounds * count
  if (warm) await timeCalls({ count: measured, clients }, (number) => over(measured + number))
  for (let round = 0; round < rounds; round++) {
    const from = round * count
    await settleConnections()
    const before = await readCpuMs(daemon)
    timings.push(await timeCalls({ count, clients }, (number) => over(from + number)))
    cpuMs.push(((await readCpuMs(daemon)) - before) / count)
    if (without)
      direct.push(await timeCalls({ count, clients: 1 }, (number) => without(from + number)))
  }
  const figure = (of: keyof Timing, from = timings) => median(from.map((timing) => timing[of]))
  const perSecond = figure('perSecond')
  const ms = (['p50Ms', 'p95Ms', 'p99Ms'] as const).map((of) => figure(of).toFixed(2))
  const cpu = median(cpuMs).toFixed(2)
  const bare = figure('perSecond', direct)
  const compared = without ? [bare.toFixed(0), (bare / perSecond).toFixed(1)] : ['', '']
  return `| ${[name, clients, perSecond.toFixed(0), ...ms, cpu, ...compared].join(' | ')} |`
}
