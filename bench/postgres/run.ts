// usage: node bench/postgres/run.ts <url of an empty database> [rows]
import { type DaemonProcess, launchDaemon } from '../../test/support/daemon-process.ts'
import { type Call, createClient, insist } from '../support/client.ts'
import { inWorkspace, stop } from '../support/daemon.ts'
import { createRows } from '../support/rows.ts'
import { median, type Timing, timeCalls } from '../support/timing.ts'

const [, , url = '', count = '100000'] = process.argv
const clients = 16
const rounds = 5
const calls = 300
const rows = createRows()
const say = (text: string) => process.stdout.write(`${text}\n`)

interface Place {
  readonly name: string
  readonly daemon: DaemonProcess
  readonly call: Call
  readonly timings: Timing[]
}

await inWorkspace((file) =>
  inWorkspace(async (server) => {
    const places = [
      await open('file', { workspace: file }),
      await open('PostgreSQL, memory', { workspace: server, env: { SVC_DATABASE_URL: url } }),
    ]
    for (const { call } of places)
      await timeCalls({ count: Number(count), clients }, (number) =>
        call('POST /api/memory/remember', { content: rows.content(number) }),
      )
    for (let round = 0; round <= rounds; round++) await measure(places, round)
    report(places)
    for (const { daemon } of places) await stop(daemon)
  }),
)

/** The first round has the code compiled; the places take turns, so that both meet the same load. */
async function measure(places: readonly Place[], round: number): Promise<void> {
  for (const { call, timings } of places) {
    const timing = await timeCalls({ count: calls, clients: 1 }, (number) =>
      recall(call, round * calls + number),
    )
    if (round > 0) timings.push(timing)
  }
}

async function open(name: string, options: Parameters<typeof launchDaemon>[0]): Promise<Place> {
  const daemon = await launchDaemon(options)
  return { name, daemon, call: insist(createClient(daemon.url)), timings: [] }
}

async function recall(call: Call, number: number): Promise<void> {
  const { body } = await call('POST /api/memory/recall', {
    query: rows.question(number),
    limit: 10,
  })
  const { partial, degradation } = body['meta'] as Readonly<Record<string, unknown>>
  if (partial) throw new Error(`A recall was degraded: ${JSON.stringify(degradation)}`)
}

function report(places: readonly Place[]): void {
  say(`# ${count} memories, one client, medians of ${rounds} rounds of ${calls} recalls\n`)
  say('| index | p50 ms | p95 ms | of a file |')
  say('|---|---|---|---|')
  const [base = Number.NaN] = places.map(({ timings }) => median(timings.map(({ p50Ms }) => p50Ms)))
  for (const { name, timings } of places) {
    const [p50, p95] = [
      median(timings.map(({ p50Ms }) => p50Ms)),
      median(timings.map(({ p95Ms }) => p95Ms)),
    ]
    say(`| ${name} | ${p50.toFixed(2)} | ${p95.toFixed(2)} | ${(p50 / base).toFixed(2)} |`)
  }
}
