// usage: node bench/documents/run.ts [notes]
// With more than 10,000 notes, only indexing, a changed note and a start are measured.

import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { chunkText, noteBounds } from '../../src/capabilities/extraction/chunks/chunk-text.ts'
import { convertFile } from '../../src/capabilities/extraction/convert.ts'
import { readDaemonVariables } from '../../src/surfaces/cli/daemon-process.ts'
import { type DaemonProcess, launchDaemon } from '../../test/support/daemon-process.ts'
import { createDocument, createPdf } from '../../test/support/office-files.ts'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, readResidentMb, stop } from '../support/daemon.ts'
import { createRows } from '../support/rows.ts'
import { timeCalls } from '../support/timing.ts'
import { createImport, linesFrom } from './imports.ts'

const notes = Number(process.argv[2] ?? 2_000)
const isLarge = notes > 10_000
const files = 40
const loopDelay = new URL('../support/loop-delay.ts', import.meta.url).href
const conversations = 4_000
const rows = createRows()
const print = (text: string) => process.stdout.write(`${text}\n`)
const secondsOf = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

function noteOf(number: number): string {
  const section = (part: number) =>
    `## Part ${part}\n\n${rows.content(number * 10 + part)}.\n\n- ${rows.content(number * 10 + part + 5)}`
  return `# Note ${number}\n\n${[1, 2, 3, 4].map(section).join('\n\n')}\n`
}

async function writeVault(root: string, first = 0, count = notes): Promise<readonly string[]> {
  const paths: string[] = []
  for (let at = first; at < first + count; at++) {
    const folder = join(root, `folder${at % 50}`)
    await mkdir(folder, { recursive: true })
    const path = join(folder, `note${at}.md`)
    await writeFile(path, noteOf(at))
    paths.push(path)
  }
  return paths
}

async function untilIndexed(call: Call, id: string) {
  for (;;) {
    const { body } = await call(`GET /api/sources/${encodeURIComponent(id)}`)
    const { indexJob } = Object(body['source'])
    if (['complete', 'failed', 'paused'].includes(indexJob?.status)) return indexJob
    // Each call counts the rows of the source.
    await pause(500)
  }
}

const runSeconds = (job: { readonly startedAt: string; readonly finishedAt: string }) =>
  (Date.parse(job.finishedAt) - Date.parse(job.startedAt)) / 1000

/**
 * Recalls until the work ends: the 95th percentile, the 99th percentile of the event-loop delays, and the
 * largest resident memory.
 */
async function watch<Result>(daemon: DaemonProcess, call: Call, work: Promise<Result>) {
  let [isDone, maxMb, count] = [false, 0, 0]
  const end = work.finally(() => {
    isDone = true
  })
  const times: number[] = []
  await readLoopP99Ms(daemon)
  while (!isDone) {
    times.push(
      await timeOne(() => call('POST /api/memory/recall', { query: rows.question(count++) })),
    )
    maxMb = Math.max(maxMb, await readResidentMb(daemon))
    await pause(20)
  }
  const result = await end
  return { result, p95Ms: percentile(times, 0.95), loopP99Ms: await readLoopP99Ms(daemon), maxMb }
}

/** The event-loop delays since the last call. */
async function readLoopP99Ms(daemon: DaemonProcess): Promise<number> {
  const read = () => [...daemon.output().matchAll(/delayed by (?<ms>[\d.]+) ms/g)]
  const known = read().length
  daemon.signal('SIGUSR2')
  while (read().length === known) await pause(10)
  return Number(read().at(-1)?.groups?.['ms'])
}

async function timeOne(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(share * times.length)] ?? Number.NaN
}

async function readIdle(call: Call) {
  const recall = (number: number) =>
    call('POST /api/memory/recall', { query: rows.question(number) })
  await timeCalls({ count: 50, clients: 1 }, recall)
  return timeCalls({ count: 200, clients: 1 }, recall)
}

interface Watched {
  readonly p95Ms: number
  readonly loopP99Ms: number
  readonly maxMb: number
}

/**
 * Transcript imports belong to the agent of the service. A daemon that a user starts sets its allocator
 * itself.
 */
const startAsBench = async (workspace: string) =>
  launchDaemon({
    workspace,
    env: {
      ...(readDaemonVariables() as Record<string, string>),
      SVC_AGENT_ID: 'bench',
      NODE_OPTIONS: `--import=${loopDelay}`,
    },
  })

const report = (name: string, measured: number, baseline: number, ratio: number) =>
  print(`| ${name} | ${measured.toFixed(2)} | ${baseline.toFixed(2)} | ${ratio.toFixed(2)} |`)

print('| operation | measured | baseline | ratio |\n|---|---|---|---|')
await inWorkspace(async (workspace) => {
  const root = join(workspace, 'vault')
  const paths = await writeVault(root)
  const alone = await secondsOf(async () => {
    for (const path of paths) chunkText(await readFile(path, 'utf8'), noteBounds)
  })
  const listing = await secondsOf(async () => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    for (const entry of entries) if (entry.isFile()) await stat(join(entry.parentPath, entry.name))
  })
  let daemon = await startAsBench(workspace)
  let call = throwOnError(createClient(daemon.url))
  for (let at = 0; at < 500; at++)
    await call('POST /api/memory/remember', { content: rows.content(1e6 + at) })
  let idle = await readIdle(call)
  const idleMb = await readResidentMb(daemon)
  const busy = (name: string, { p95Ms, loopP99Ms, maxMb }: Watched) => {
    report(`(f) recall p95 during ${name}, ms / idle`, p95Ms, idle.p95Ms, p95Ms / idle.p95Ms)
    report(`(f) event-loop p99 during ${name}, ms / limit`, loopP99Ms, 20, loopP99Ms / 20)
    report(`(g) memory during ${name}, MB / idle`, maxMb, idleMb, maxMb - idleMb)
  }

  const addVault = async (path: string) => {
    const { body } = await call('POST /api/sources/notes-vault', { path })
    return String(Object(body['source']).id)
  }
  const id = await addVault(root)
  const indexed = runSeconds(await untilIndexed(call, id))
  report(`(a) ${notes} notes indexed, s / read and chunked alone`, indexed, alone, alone / indexed)

  await writeFile(paths[7] ?? '', `${noteOf(7)}\nThe quetzalcoatlus landed.\n`)
  const found = await secondsOf(async () => {
    for (;;) {
      const { body } = await call('POST /api/memory/recall', { query: 'quetzalcoatlus landed' })
      if (JSON.stringify(body['results']).includes('quetzalcoatlus landed')) return
      await pause(20)
    }
  })
  report('(c) a changed note is found after, s / limit', found, 2, found / 2)

  if (!isLarge) {
    const withVault = await readIdle(call)
    report(
      'idle recall p95 with the vault, ms / without',
      withVault.p95Ms,
      idle.p95Ms,
      withVault.p95Ms / idle.p95Ms,
    )
    // Both measurements search the same rows.
    idle = withVault
    const other = join(workspace, 'other')
    await writeVault(other, notes, Math.ceil(notes / 4))
    busy('(a)', await watch(daemon, call, untilIndexed(call, await addVault(other))))
    await measureFiles({ daemon, call, workspace, busy })
    await measureUpload({ daemon, call, workspace, busy })
  }
  await stop(daemon)

  daemon = await startAsBench(workspace)
  call = throwOnError(createClient(daemon.url))
  const again = runSeconds(await untilIndexed(call, id))
  report(
    '(b) run over unchanged notes after a start, s / listed and stated alone',
    again,
    listing,
    again / listing,
  )
  await stop(daemon)
})

interface Measured {
  readonly daemon: DaemonProcess
  readonly call: Call
  readonly workspace: string
  readonly busy: (name: string, watched: Watched) => void
}

async function measureFiles({ daemon, call, busy }: Measured): Promise<void> {
  const office: Uint8Array[] = []
  // Equal files would be stored one after another.
  for (let at = 0; at < files; at++)
    office.push(
      at % 2
        ? createPdf([rows.content(at), rows.content(at + files)])
        : await createDocument('docx', noteOf(at)),
    )
  const bytesOf = (at: number) => Uint8Array.from(office[at] ?? [])
  const nameOf = (at: number) => `file${at}.${at % 2 ? 'pdf' : 'docx'}`
  const convert = async (at: number) => {
    const { status } = await convertFile({ bytes: bytesOf(at), fileName: nameOf(at) })
    if (status === 'failed') throw new Error(`${nameOf(at)} cannot be read.`)
  }
  await convert(0)
  await convert(1)
  const library = await secondsOf(async () => {
    for (let at = 0; at < files; at++) await convert(at)
  })
  const importAll = async () => {
    for (let at = 0; at < files; at += 20) {
      const form = new FormData()
      for (let one = at; one < at + 20; one++)
        form.append('files', new Blob([bytesOf(one)]), nameOf(one))
      form.append('duplicateMode', 'reimport')
      await fetch(`${daemon.url}/api/sources/import`, { method: 'POST', body: form })
    }
  }
  await importAll()
  const importSeconds = await secondsOf(importAll)
  report(
    `(d) ${files} Office and PDF files, s / library alone`,
    importSeconds,
    library,
    library / importSeconds,
  )
  busy('(d)', await watch(daemon, call, importAll()))
}

async function measureUpload({ daemon, call, workspace, busy }: Measured): Promise<void> {
  const bytes = linesFrom(0, conversations)
  const direct = new DatabaseSync(join(workspace, 'direct.db'))
  direct.exec('pragma journal_mode = wal; create table chunks (n integer primary key, bytes blob)')
  const insert = direct.prepare('insert into chunks (bytes) values (?)')
  const inserting = await secondsOf(async () => {
    for (let at = 0; at < bytes.length; at += 65_536) insert.run(bytes.subarray(at, at + 65_536))
  })
  direct.close()
  const parsing = await secondsOf(async () => {
    for (const line of bytes.toString().split('\n')) JSON.parse(line)
  })
  const first = await createImport(daemon, call)
  const uploading = await secondsOf(() => first.upload(bytes))
  report(
    '(e) upload, s / rows of 64 KiB inserted directly',
    uploading,
    inserting,
    inserting / uploading,
  )
  await first.seal()
  const committing = await secondsOf(first.commit)
  report(
    `(e) ${conversations} conversations committed, s / lines parsed alone`,
    committing,
    parsing,
    parsing / committing,
  )
  const second = await createImport(daemon, call)
  await second.upload(linesFrom(conversations, conversations))
  await second.seal()
  busy('(e)', await watch(daemon, call, second.commit()))
}
