import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createExecQueue } from '../../src/capabilities/secrets/exec/exec-queue.ts'
import { createLocalStore } from '../../src/capabilities/secrets/local/local-store.ts'
import { createFileLocks } from '../../src/kernel/files/file-lock.ts'
import { realHost } from '../../src/kernel/host/host.ts'
import { createLog } from '../../src/kernel/log/log.ts'
import { createChildLedger } from '../../src/kernel/process/child-ledger.ts'
import { callerFor } from '../../src/kernel/testing/caller-for.ts'
import { inWorkspace } from '../support/daemon.ts'
import { median } from '../support/timing.ts'
import type { Figure } from './figure.ts'

const runs = 200
const warmUps = 20

/** A command through the queue, with a stored secret, and the same command alone, in turn. */
export async function measureExec(): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  await inWorkspace(async (folder) => {
    const exec = await createExec(folder)
    const [bare, queued]: [number[], number[]] = [[], []]
    for (let number = -warmUps; number < runs; number++) {
      const [bareMs, queuedMs] = [await time(spawnTrue), await time(exec)]
      if (number < 0) continue
      bare.push(bareMs)
      queued.push(queuedMs)
    }
    const [bareMs, queuedMs] = [median(bare), median(queued)]
    figures.push({
      name: `exec of \`true\` with a secret, p50 ${queuedMs.toFixed(2)} ms; bare spawn ${bareMs.toFixed(2)} ms`,
      value: `${(queuedMs / bareMs).toFixed(2)} ×`,
      limit: '≤ 3 ×',
    })
  })
  return figures
}

async function createExec(folder: string): Promise<() => Promise<void>> {
  const log = createLog('silent')
  const secretFolder = join(folder, '.secrets')
  const store = createLocalStore({
    host: realHost,
    locks: createFileLocks(realHost),
    folder: secretFolder,
    keyFile: () => join(secretFolder, 'key'),
  })
  await store.put('TOKEN', 'synthetic-value')
  let completed = Promise.withResolvers<void>()
  const queue = createExecQueue({
    host: realHost,
    children: createChildLedger(join(folder, 'children'), log),
    log,
    store,
    resolve: (name) => store.read(name),
    audit: (event) => {
      if (event === 'secret.exec_completed') completed.resolve()
    },
    folder,
    variables: () => ({ PATH: '/usr/bin:/bin' }),
    pass: () => [],
  })
  const request = { command: 'true', secrets: { TOKEN: 'TOKEN' }, timeoutMs: 10_000 }
  return async () => {
    completed = Promise.withResolvers()
    await queue.start(callerFor('bench'), request)
    await completed.promise
  }
}

async function spawnTrue(): Promise<void> {
  const child = spawn('true', { env: { PATH: '/usr/bin:/bin' }, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.resume()
  child.stderr.resume()
  await once(child, 'close')
}

async function time(run: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}
