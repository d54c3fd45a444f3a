// usage: node bench/hooks/run.ts [runs]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { median, timeCalls } from '../support/timing.ts'

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
await printLookup()
daemon.close()

/** The launcher with and without its look for a selected version, in turn. */
async function printLookup(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-launcher-'))
  await mkdir(join(folder, 'bin'))
  for (const file of ['package.json', 'bin/package.json']) await copyFile(file, join(folder, file))
  await symlink(resolve('dist'), join(folder, 'dist'))
  const launcher = await readFile('bin/reverie', 'utf8')
  const without = launcher.replace('const selected = findSelected()', 'const selected = undefined')
  if (without === launcher) throw new Error('The launcher has another look-up.')
  const files = { with: join(folder, 'bin', 'reverie'), without: join(folder, 'bin', 'without') }
  await writeFile(files.with, launcher)
  await writeFile(files.without, without)
  const words = hook.slice(1)
  const times: Record<keyof typeof files, number[]> = { with: [], without: [] }
  for (let round = 0; round < runs; round += 1)
    for (const name of ['with', 'without'] as const) {
      const startedAt = performance.now()
      await run([files[name], ...words])
      times[name].push(performance.now() - startedAt)
    }
  await rm(folder, { recursive: true })
  const [found, none] = [median(times.with), median(times.without)]
  print(
    `\nThe look-up of the selected version: ${(found / none).toFixed(3)} × (${found.toFixed(1)} ms)`,
  )
}

async function run(args: readonly string[]): Promise<void> {
  const env = { PATH: '', SVC_URL: url }
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.on('error', () => undefined)
  child.stdin.end(said)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`exit ${code}`)
}
