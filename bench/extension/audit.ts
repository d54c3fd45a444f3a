import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchDaemon } from '../../test/support/daemon-process.ts'
import { createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, stop } from '../support/daemon.ts'
import { readMaxBlockMs, watchLoop } from '../support/max-block.ts'
import { timeCalls } from '../support/timing.ts'
import type { Figure } from './figure.ts'

const fullBytes = 10_485_760
const files = 5
const count = 30
const newestQuery = 'limit=100'
/** No line has this event, so that every file is read. */
const rareQuery = 'event=plugin.blocked'

/** Queries of the audit of plugins over five full files, and over one file of 1 MiB. */
export async function measureAudit(): Promise<readonly Figure[]> {
  const [small, full] = [await measure(1, 1_048_576), await measure(files, fullBytes)]
  return [
    {
      name: `plugin audit of five full files, p50 ${full.newestMs.toFixed(1)} ms; of one of 1 MiB ${small.newestMs.toFixed(1)} ms`,
      value: `${(full.newestMs / small.newestMs).toFixed(2)} ×`,
      limit: '≤ 10 ×',
    },
    {
      name: `the same for an event that no line has, ${full.rareMs.toFixed(0)} and ${small.rareMs.toFixed(1)} ms`,
      value: `${(full.rareMs / small.rareMs).toFixed(1)} ×`,
      limit: `${(files * fullBytes) / 1_048_576} × the bytes`,
    },
    {
      name: 'longest block of the event loop during these queries, in CPU time',
      value: `${full.blockMs.toFixed(1)} ms`,
      limit: '< 20 ms',
    },
  ]
}

interface Measured {
  readonly newestMs: number
  readonly rareMs: number
  readonly blockMs: number
}

async function measure(fileCount: number, bytes: number): Promise<Measured> {
  const measured: Measured[] = []
  await inWorkspace(async (workspace) => {
    await writeFiles(join(workspace, 'runtime', 'plugins'), fileCount, bytes)
    const daemon = await launchDaemon({ workspace, env: watchLoop })
    const call = throwOnError(createClient(daemon.url))
    const ask = (query: string) => call(`GET /api/plugins/audit?${query}`)
    // The first calls warm up the compiler.
    for (const query of [newestQuery, rareQuery]) await ask(query)
    await readMaxBlockMs(daemon)
    const newest = await timeCalls({ count, clients: 1 }, () => ask(newestQuery))
    const rare = await timeCalls({ count, clients: 1 }, () => ask(rareQuery))
    const blockMs = await readMaxBlockMs(daemon)
    await stop(daemon)
    measured.push({ newestMs: newest.p50Ms, rareMs: rare.p50Ms, blockMs })
  })
  const [result] = measured
  if (!result) throw new Error('nothing was measured')
  return result
}

/** Files that are full, but not over their limit, so that none is rotated. */
async function writeFiles(folder: string, fileCount: number, bytes: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  const lines: string[] = []
  for (let length = 0, number = 0; length < bytes - 1_000; number++) {
    const line = `${JSON.stringify(toEvent(number))}\n`
    length += line.length
    lines.push(line)
  }
  for (let number = 0; number < fileCount; number++)
    await writeFile(
      join(folder, `audit-v1${number === 0 ? '' : `.${number}`}.ndjson`),
      lines.join(''),
    )
}

function toEvent(number: number) {
  const id = number.toString(36).padStart(8, '0')
  return {
    id: `${id}-${id}`,
    timestamp: new Date(Date.UTC(2026, 0, 1) + number).toISOString(),
    event: 'secret.exec_completed',
    pluginId: 'svc.secrets',
    result: 'ok',
    source: 'secrets-routes',
    agentId: 'bench',
    data: {
      jobId: id,
      variables: ['TOKEN'],
      references: ['TOKEN'],
      status: 'completed',
      code: 0,
      durationMs: 12,
    },
  }
}
