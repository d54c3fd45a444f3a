// usage: node bench/http/run.ts [rows]
import { type Call, createClient, insist } from '../support/client.ts'
import { inWorkspace, readResidentMb, sizeOf, start, stop } from '../support/daemon.ts'
import { createRows, type Rows } from '../support/rows.ts'
import { median, type Timing, timeCalls } from '../support/timing.ts'
import { type Direct, openDirect } from './direct.ts'

const clients = 16
const count = Number(process.argv[2] ?? 10_000)
const added = 2_000
const rows = createRows()
const say = (text: string) => process.stdout.write(`${text}\n`)

await inWorkspace(async (workspace) => {
  say(`# ${count} memories of 200 characters, ${clients} clients\n`)
  say(`start, empty workspace: ${(await startThrice(workspace)).toFixed(0)} ms`)
  const { daemon } = await start(workspace)
  say(`resident when idle, empty: ${(await readResidentMb(daemon)).toFixed(0)} MB`)
  const call = insist(createClient(daemon.url))

  const ids: string[] = []
  const load = await timeCalls({ count, clients }, async (number) => {
    ids[number] = await remember(call, rows.content(number))
  })
  say(`loading: ${load.perSecond.toFixed(0)} memories/s, p99 ${load.p99Ms.toFixed(1)} ms\n`)

  const direct = openDirect(workspace, rows, count)
  say('| operation | HTTP/s | p50 ms | p95 ms | p99 ms | direct/s | times |')
  say('|---|---|---|---|---|---|---|')
  for (const operation of operationsOn({ call, direct, ids, rows })) {
    const over = await timeCalls({ count: operation.count, clients: operation.clients }, (number) =>
      operation.over(number),
    )
    const without = await timeCalls({ count: operation.count, clients: 1 }, operation.without)
    say(rowOf(operation.name, over, without))
  }
  direct.close()

  const health = await createClient(daemon.url)('GET /health/live')
  say(`\nhealth after it: ${JSON.stringify(health.body)}`)
  say(`resident after it: ${(await readResidentMb(daemon)).toFixed(0)} MB`)
  await stop(daemon)
  const kept = count + added
  say(`disk per memory: ${((await sizeOf(`${workspace}/memory`)) / kept).toFixed(0)} bytes`)
  say(`start, ${kept} memories: ${(await startThrice(workspace)).toFixed(0)} ms`)
})

async function startThrice(workspace: string): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    const { daemon, startMs } = await start(workspace)
    times.push(startMs)
    await stop(daemon)
  }
  return median(times)
}

async function remember(call: Call, content: string): Promise<string> {
  return String((await call('POST /api/memory/remember', { content })).body['id'])
}

interface Parts {
  readonly call: Call
  readonly direct: Direct
  readonly ids: readonly string[]
  readonly rows: Rows
}

interface Operation {
  readonly name: string
  readonly count: number
  readonly clients: number
  over(number: number): Promise<unknown>
  without(number: number): unknown
}

function operationsOn({ call, direct, ids, rows }: Parts): readonly Operation[] {
  const one = (number: number) => (number * 7919) % ids.length
  const recall = {
    count: 1_000,
    over: (number: number) => {
      const body = { query: rows.question(number), limit: 10 }
      return call('POST /api/memory/recall', body)
    },
    without: (number: number) => direct.search(rows.question(number)),
  }
  return [
    {
      ...{ name: 'remember', count: added, clients },
      over: (number) => remember(call, rows.content(count + number)),
      without: (number) => direct.insert(rows.content(count + number)),
    },
    {
      ...{ name: 'get by id', count: 5_000, clients },
      over: (number) => call(`GET /api/memory/${ids[one(number)]}`),
      without: (number) => direct.read(one(number)),
    },
    { ...recall, name: 'recall, 1 client', clients: 1 },
    { ...recall, name: `recall, ${clients} clients`, clients },
  ]
}

function rowOf(name: string, over: Timing, without: Timing): string {
  const cells = [over.perSecond.toFixed(0), ...[over.p50Ms, over.p95Ms, over.p99Ms].map(toText)]
  const times = (without.perSecond / over.perSecond).toFixed(1)
  return `| ${[name, ...cells, without.perSecond.toFixed(0), times].join(' | ')} |`
}

function toText(ms: number): string {
  return ms.toFixed(1)
}
