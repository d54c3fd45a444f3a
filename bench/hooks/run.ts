// usage: node bench/hooks/run.ts [runs]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { timeCalls } from '../support/timing.ts'

const runs = Number(process.argv[2] ?? 40)
const print = (text: string) => process.stdout.write(`${text}\n`)

/** Replies immediately, so that the benchmark measures only the hook. */
const daemon = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ inject: 'x'.repeat(2000), memoryCount: 1 }))
  })
})
daemon.listen(0, '127.0.0.1')
await once(daemon, 'listening')
const url = `http://127.0.0.1:${(daemon.address() as AddressInfo).port}`
const said = JSON.stringify({ session_id: 's-1', cwd: '/', prompt: 'What do I drink?' })
const hook = ['bin/reverie', 'hook', 'user-prompt-submit', '-H', 'claude-code']

const rows: readonly [name: string, args: readonly string[]][] = [
  ['node -e 0', ['-e', '0']],
  ['reverie hook user-prompt-submit', hook],
]
print(`# ${runs} sequential runs of each process\n`)
print('| process | p50 ms | p95 ms | relative to bare Node |\n|---|---|---|---|')
const bare = { p50Ms: Number.NaN }
for (const [name, args] of rows) {
  await run(args)
  const { p50Ms, p95Ms } = await timeCalls({ count: runs, clients: 1 }, () => run(args))
  if (Number.isNaN(bare.p50Ms)) bare.p50Ms = p50Ms
  const times = (p50Ms / bare.p50Ms).toFixed(2)
  print(`| ${name} | ${p50Ms.toFixed(1)} | ${p95Ms.toFixed(1)} | ${times} |`)
}
daemon.close()

async function run(args: readonly string[]): Promise<void> {
  const env = { PATH: '', SVC_URL: url }
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.on('error', () => undefined)
  child.stdin.end(said)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`exit ${code}`)
}
