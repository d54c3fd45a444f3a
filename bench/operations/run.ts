// usage: node bench/operations/run.ts [memories] [files]
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, start, stop } from '../support/daemon.ts'
import { createRows } from '../support/rows.ts'
import { median, timeCalls } from '../support/timing.ts'
import { timeReplyHook } from './reply-hook.ts'

const count = Number(process.argv[2] ?? 100_000)
const files = Number(process.argv[3] ?? 10_000)
const rounds = 200
const coldRounds = 5
/** Longer than the cache of the report. */
const coldPauseMs = 5_200
const print = (text: string) => process.stdout.write(`${text}\n`)

/** Median duration of a call in milliseconds. */
async function timeOf(times: number, call: () => Promise<unknown>, pauseMs = 0): Promise<number> {
  const measured: number[] = []
  for (let round = 0; round < times; round += 1) {
    if (pauseMs > 0) await pause(pauseMs)
    const startedAt = performance.now()
    await call()
    measured.push(performance.now() - startedAt)
  }
  return median(measured)
}

await inWorkspace(async (workspace) => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace })
  const folder = join(workspace, 'memory', 'files')
  await mkdir(folder, { recursive: true })
  for (let number = 0; number < files; number += 1)
    await writeFile(join(folder, `${number}.md`), `note ${number}\n`)
  git('init', '-q', '-b', 'main', '--template=')
  git('add', 'memory')
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-qm', 'files')

  const { daemon } = await start(workspace)
  const call = throwOnError(createClient(daemon.url))
  // Before the memories, because a large process starts others more slowly.
  const byHand = await timeOf(coldRounds, async () => git('status', '--porcelain'))
  const status = await timeOf(coldRounds, () => call('GET /api/git/status'))
  print(`# ${files} files\n\n| | ms | ratio |\n|---|---|---|`)
  print(`| \`git status --porcelain\` by hand | ${byHand.toFixed(0)} | 1.0 |`)
  print(`| \`GET /api/git/status\` | ${status.toFixed(0)} | ${(status / byHand).toFixed(2)} |`)

  const rows = createRows()
  await timeCalls({ count, clients: 16 }, (number) =>
    call('POST /api/memory/remember', { content: rows.content(number) }),
  )
  const { body: first } = await call('GET /api/memories?limit=1')
  const [{ id }] = first['memories'] as readonly [{ readonly id: string }]

  print(`\n# ${count} memories\n\n| operation | ms | × /health/ready |\n|---|---|---|`)
  const ready = await timeOf(rounds, () => call('GET /health/ready'))
  const report = (name: string, ms: number) =>
    print(`| ${name} | ${ms.toFixed(2)} | ${(ms / ready).toFixed(1)} |`)
  report('/health/ready', ready)
  const diagnostics = () => call('GET /api/diagnostics')
  const schema = () => call('GET /api/diagnostics/database/schema')
  report('schema, cold', await timeOf(1, schema))
  report('diagnostics, cold', await timeOf(coldRounds, diagnostics, coldPauseMs))
  report('diagnostics, cached', await timeOf(rounds, diagnostics))
  report(
    'sample of 100 rows',
    await timeOf(rounds, () =>
      call('GET /api/diagnostics/database/tables/memories/sample?limit=100'),
    ),
  )
  report('/metrics, cached', await timeOf(rounds, () => readText(`${daemon.url}/metrics`)))
  const get = await timeOf(rounds, () => call(`GET /api/memory/${id}`))
  report('memory by id', get)

  const hook = timeReplyHook()
  print(
    `| figures of one reply | ${hook.toFixed(4)} | ${(hook / get).toFixed(4)} of memory by id |`,
  )
  await stop(daemon)
})

async function readText(url: string): Promise<string> {
  return (await fetch(url)).text()
}
