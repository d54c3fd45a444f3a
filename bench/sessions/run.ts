// usage: node bench/sessions/run.ts [rows]
import { type Call, createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, start, stop } from '../support/daemon.ts'
import { createRows } from '../support/rows.ts'
import { type Timing, timeCalls } from '../support/timing.ts'

const sessions = 8
const prompts = 800
const count = Number(process.argv[2] ?? 100_000)
const rows = createRows()
const print = (text: string) => process.stdout.write(`${text}\n`)

await inWorkspace(async (workspace) => {
  print(`# ${count} memories, ${sessions} concurrent sessions\n`)
  const { daemon } = await start(workspace)
  const call = throwOnError(createClient(daemon.url))
  await timeCalls({ count, clients: 16 }, (number) =>
    call('POST /api/memory/remember', {
      content: rows.content(number),
      project: `/p${number % 20}`,
      importance: (number % 10) / 10,
    }),
  )
  print('| hook | p50 ms | p95 ms | p99 ms |')
  print('|---|---|---|---|')
  print(rowOf('session-start', await timeStarts(call)))
  print(rowOf('user-prompt-submit', await timePrompts(call)))
  await stop(daemon)
})

function timeStarts(call: Call): Promise<Timing> {
  return timeCalls({ count: 200, clients: sessions }, (number) =>
    call('POST /api/hooks/session-start', {
      harness: 'bench',
      sessionKey: `start${number}`,
      project: `/p${number % 20}`,
      runtimePath: 'plugin',
    }),
  )
}

function timePrompts(call: Call): Promise<Timing> {
  return timeCalls({ count: prompts, clients: sessions }, (number) =>
    call('POST /api/hooks/user-prompt-submit', {
      harness: 'bench',
      sessionKey: `prompt${number % sessions}`,
      runtimePath: 'plugin',
      project: '/p1',
      userMessage: rows.question(number),
      lastAssistantMessage: rows.content(number),
    }),
  )
}

function rowOf(name: string, { p50Ms, p95Ms, p99Ms }: Timing): string {
  return `| ${[name, ...[p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(1))].join(' | ')} |`
}
