// usage: node bench/dreaming/cost.ts MEMORIES [URL of an empty PostgreSQL database]
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readStatements } from '../../src/capabilities/dreaming/rules/read-statements.ts'
import { type DaemonProcess, launchDaemon } from '../../test/support/daemon-process.ts'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, stop } from '../support/daemon.ts'
import { readMaxBlockMs, watchLoop } from '../support/max-block.ts'
import { createRows } from '../support/rows.ts'
import { median, timeCalls } from '../support/timing.ts'
import { triggerPass } from './daemon.ts'
import { countRows, markAllRead, type Place, readBytes, seed } from './database.ts'

const memories = Number(process.argv[2] ?? 100_000)
const url = process.argv[3]
const rows = createRows()
const rounds = 3
const planned = 200
const readers = 2
const first = 'Maud Ines Carl Dora Emil Faye Gina Hugo Ivan Jana'.split(' ')
const last = 'Reyes Calloway Brandt Okafor Lindt Moreau Petrov Quist Roth Sato'.split(' ')
const places = 'Lisbon Porto Oslo Turin Graz'.split(' ')
const print = (name: string, value: string) => process.stdout.write(`| ${name} | ${value} |\n`)
const ms = (value: number) => `${value.toFixed(1)} ms`

const engine = url === undefined ? 'SQLite' : 'PostgreSQL'
process.stdout.write(`| ${memories} memories, ${engine} | |\n|---|---|\n`)
printRules()
await inWorkspace(async (workspace) => {
  const budget = { writesPerPass: 1_000 }
  const dreaming = { enabled: true, tickMs: 3_600_000, budget }
  await writeFile(join(workspace, 'agent.yaml'), JSON.stringify({ memory: { dreaming } }))
  const place = { workspace, url }
  await seed(place, memories)
  await inDaemon(place, measure)
  await markAllRead(place)
  await inDaemon(place, async (_, call) => {
    print('status of an agent without memories', ms(await timeStatus(call, 'empty')))
    print(`nothing to do, ${memories} read memories`, ms(await timeStatus(call)))
  })
  await printDisk(place)
})

async function inDaemon(
  { workspace }: Place,
  work: (daemon: DaemonProcess, call: Call) => Promise<void>,
): Promise<void> {
  const server = url === undefined ? {} : { SVC_DATABASE_URL: url }
  const daemon = await launchDaemon({ workspace, env: { ...watchLoop, ...server } })
  try {
    await work(daemon, throwOnError(createClient(daemon.url)))
  } finally {
    await stop(daemon)
  }
}

/** One thread, without a daemon. */
function printRules(): void {
  const turns = Array.from({ length: 1_000 }, (_, number) => ({
    sourceKind: 'memory' as const,
    sourceId: String(number),
    text: number % 20 === 0 ? statement(number).content : rows.content(number).slice(0, 120),
    start: 0,
    speaker: 'Ines Calloway',
    project: null,
    session: null,
    assertedAt: '2026-01-01T00:00:00.000Z',
    trust: 'own' as const,
  }))
  const names = { entities: [], speakers: ['Ines Calloway'], projects: [] }
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now()
    readStatements({ fragments: turns, names, user: '' })
    return performance.now() - start
  })
  print('rules over 1,000 turns of 120 characters', ms(median(times)))
}

async function measure(daemon: DaemonProcess, call: Call): Promise<void> {
  const applied: Awaited<ReturnType<typeof timeApply>>[] = []
  for (let round = 0; round < rounds; round++) applied.push(await timeApply(call, `apply-${round}`))
  print(`${planned} saves, one after the other`, ms(median(applied.map(({ savedMs }) => savedMs))))
  print(`apply of a plan of ${planned} operations`, ms(median(applied.map(({ tookMs }) => tookMs))))
  print(`backlog figure, ${memories} unread memories`, ms(await timeStatus(call)))
  const quiet = await timeUse(call, 0)
  const { loaded, held } = await timeUseWhilePassesRun(daemon, call)
  print('recall p95 while passes run, against without', ratio(loaded.recall, quiet.recall))
  print('remember p50 while passes run, against without', ratio(loaded.remember, quiet.remember))
  print('longest event-loop block while passes run', ms(held))
}

/** Statements of 100 people, two each. */
function statement(number: number) {
  const who = `${first[number % 10]} ${last[Math.floor(number / 10) % 10]}`
  const place = places[number % 5]
  return {
    who,
    content: number < 100 ? `I live in ${place}.` : `I work for ${place} Analytics.`,
    sourceId: String(number),
  }
}

/** The reply comes after the commit. */
async function timeApply(call: Call, agent: string) {
  await call('POST /api/agents', { name: agent, read_policy: 'isolated' })
  const savingSince = performance.now()
  for (let number = 0; number < planned; number++) {
    const { content, ...fields } = statement(number)
    const text = `${content} Entry ${number + 1_000}.`
    await call('POST /api/memory/remember', { ...fields, content: text }, agent)
  }
  const savedMs = performance.now() - savingSince
  const { pass, passId } = await dream(call, { dryRun: true }, agent)
  if (pass['disposition'] !== 'planned') throw new Error(JSON.stringify(pass))
  const start = performance.now()
  const { body } = await call(`POST /api/dream/passes/${passId}/apply`, {}, agent)
  const tookMs = performance.now() - start
  const items = body['items'] as readonly { readonly state: string }[]
  const count = items.filter(({ state }) => state === 'applied').length
  if (count !== planned) throw new Error(`${count} of ${items.length} operations were applied.`)
  return { savedMs, tookMs }
}

async function dream(call: Call, body: object, agent?: string) {
  const started = await triggerPass(call, body, agent)
  const passId = String(started.body['passId'])
  for (;;) {
    const { body: reply } = await call(`GET /api/dream/passes/${passId}`, undefined, agent)
    const pass = reply['pass'] as Readonly<Record<string, unknown>>
    if (pass['status'] !== 'running') return { passId, pass }
    await pause(20)
  }
}

async function timeStatus(call: Call, agent?: string): Promise<number> {
  const read = () => call('GET /api/dream/status', undefined, agent)
  const { p50Ms } = await timeCalls({ count: 60, clients: 1 }, read)
  return p50Ms
}

/** Recalls and saves, half each. */
async function timeUse(call: Call, round: number) {
  const count = 300
  const recall = await timeCalls({ count, clients: readers }, (number) =>
    call('POST /api/memory/recall', { query: rows.question(number), limit: 10 }),
  )
  const remember = await timeCalls({ count, clients: readers }, (number) =>
    call('POST /api/memory/remember', { content: `later ${round} ${rows.content(number)}` }),
  )
  return { recall: recall.p95Ms, remember: remember.p50Ms }
}

async function timeUseWhilePassesRun(daemon: DaemonProcess, call: Call) {
  const state = { isOver: false }
  const passes = (async () => {
    while (!state.isOver) await dream(call, {})
  })()
  await readMaxBlockMs(daemon)
  const loaded = await timeUse(call, 1)
  const held = await readMaxBlockMs(daemon)
  state.isOver = true
  await passes
  return { loaded, held }
}

function ratio(loaded: number, quiet: number): string {
  return `${ms(loaded)} / ${ms(quiet)} = ${(loaded / quiet).toFixed(2)} ×`
}

async function printDisk(place: Place): Promise<void> {
  const sources =
    (await readBytes(place, 'dreaming_evidence')) / (await countRows(place, 'dreaming_evidence'))
  print('disk of a read source', `${sources.toFixed(0)} bytes`)
  const operations =
    (await readBytes(place, 'dreaming_operations')) + (await readBytes(place, 'dreaming_citations'))
  const each = (50 * operations) / (await countRows(place, 'dreaming_operations'))
  const passes = await readBytes(place, 'dreaming_passes')
  const pass = passes / (await countRows(place, 'dreaming_passes')) + each
  print('disk of a pass of 50 operations', `${(pass / 1024).toFixed(1)} KB`)
}
