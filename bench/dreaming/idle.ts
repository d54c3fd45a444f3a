// usage: node bench/dreaming/idle.ts SECONDS
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, throwOnError } from '../support/client.ts'
import { readCpuMs, start, stop } from '../support/daemon.ts'

const seconds = Number(process.argv[2] ?? 600)
const settleMs = 15_000
const passMs = 30_000

process.stdout.write('| Dreaming | passes | timer | CPU ms |\n|---|---|---|---|\n')
const lines = await Promise.all([true, false].map((enabled) => measure(enabled)))
process.stdout.write(lines.join(''))

/** Both daemons run at the same time, with one statement that is read. */
async function measure(enabled: boolean): Promise<string> {
  const workspace = await mkdtemp(join(tmpdir(), 'reverie-bench-'))
  const dreaming = { enabled, tickMs: 1_000 }
  await writeFile(join(workspace, 'agent.yaml'), JSON.stringify({ memory: { dreaming } }))
  const { daemon } = await start(workspace)
  const call = throwOnError(createClient(daemon.url))
  await call('POST /api/memory/remember', { content: 'My editor is Vim.', who: 'Ines Calloway' })
  if (enabled) await call('POST /api/dream/trigger', {})
  await pause(passMs + settleMs)
  const before = { cpuMs: await readCpuMs(daemon), passes: await countPasses() }
  await pause(seconds * 1_000)
  const cpuMs = (await readCpuMs(daemon)) - before.cpuMs
  const passes = (await countPasses()) - before.passes
  const { body } = await call('GET /api/dream/status')
  const { nextCheckAt } = body['schedule'] as { readonly nextCheckAt: string | null }
  await stop(daemon)
  await rm(workspace, { recursive: true })
  return `| ${enabled ? 'enabled' : 'disabled'} | ${passes} | ${nextCheckAt} | ${cpuMs} |\n`

  async function countPasses(): Promise<number> {
    const reply = await call('GET /api/dream/passes?limit=100')
    return (reply.body['items'] as readonly unknown[]).length
  }
}
