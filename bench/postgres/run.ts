// usage: node bench/postgres/run.ts <url of an empty database> [rows]
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type DaemonProcess, launchDaemon } from '../../test/support/daemon-process.ts'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, stop } from '../support/daemon.ts'
import { createRows } from '../support/rows.ts'
import { median, type Timing, timeCalls } from '../support/timing.ts'
import { copyRows } from './copy-rows.ts'

const [, , url = '', count = '100000'] = process.argv
const clients = 16
const rounds = 5
const calls = 300
/** Scores depend on what was recalled before and when. */
const settings = 'search: { rehearsal_enabled: false, temporal_prior_enabled: false }\n'
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
    const env = { SVC_DATABASE_URL: url }
    for (const folder of [file, server]) await writeFile(join(folder, 'agent.yaml'), settings)
    const loading = [
      await open('file', { workspace: file }),
      await open('', { workspace: server, env }),
    ]
    await timeCalls({ count: Number(count), clients }, (number) =>
      loading[0]?.call('POST /api/memory/remember', { content: rows.content(number) }),
    )
    for (const { daemon } of loading) await stop(daemon)
    await copyRows(join(file, 'memory', 'memories.db'), url)
    const places = [
      await open('file', { workspace: file }),
      await open('PostgreSQL, in memory', { workspace: server, env }),
    ]
    for (const place of places) await untilIndexed(place)
    say(`${await countEqual(places)} of ${calls} answers are equal\n`)
    // The first round has the code compiled.
    for (let round = 0; round <= rounds; round++) await measure(places, round)
    report(places)
    for (const { daemon } of places) await stop(daemon)
  }),
)

async function open(name: string, options: Parameters<typeof launchDaemon>[0]): Promise<Place> {
  const daemon = await launchDaemon(options)
  return { name, daemon, call: throwOnError(createClient(daemon.url)), timings: [] }
}

async function untilIndexed({ call }: Place): Promise<void> {
  while (!(await recall(call, 0))) await pause(200)
}

/** The ids and scores, or undefined while the index is built. */
async function recall(call: Call, number: number) {
  const { body } = await call('POST /api/memory/recall', {
    query: rows.question(number),
    limit: 10,
  })
  const { meta, results } = body as {
    readonly meta: { readonly partial?: true }
    readonly results: readonly { readonly id: string; readonly score: number }[]
  }
  return meta.partial ? undefined : results.map(({ id, score }) => ({ id, score }))
}

async function countEqual(places: readonly Place[]): Promise<number> {
  let equal = 0
  for (let number = 0; number < calls; number++) {
    const [first, ...others] = await Promise.all(places.map(({ call }) => recall(call, number)))
    if (first && others.every((other) => isDeepStrictEqual(other, first))) equal += 1
  }
  return equal
}

/** The places take turns, so that all meet the same load. */
async function measure(places: readonly Place[], round: number): Promise<void> {
  for (const { call, timings } of places) {
    const timing = await timeCalls({ count: calls, clients: 1 }, (number) =>
      recall(call, round * calls + number),
    )
    if (round > 0) timings.push(timing)
  }
}

function report(places: readonly Place[]): void {
  say(`# ${count} memories, one client, medians of ${rounds} rounds of ${calls} recalls\n`)
  say('| index | p50 ms | p95 ms | ratio to a file |')
  say('|---|---|---|---|')
  const middle = (place: Place | undefined, figure: 'p50Ms' | 'p95Ms') =>
    median(place?.timings.map((timing) => timing[figure]) ?? [])
  for (const place of places) {
    const p50 = middle(place, 'p50Ms')
    const ratio = p50 / middle(places[0], 'p50Ms')
    say(
      `| ${place.name} | ${p50.toFixed(2)} | ${middle(place, 'p95Ms').toFixed(2)} | ${ratio.toFixed(2)} |`,
    )
  }
}
