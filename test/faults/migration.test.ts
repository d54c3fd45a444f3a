import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundleProgram } from '../support/bundle-program.ts'
import { launchAndKill } from '../support/daemon-process.ts'
import { inspectDatabase } from '../support/inspect-database.ts'
import { listFilesHolding } from '../support/list-files-holding.ts'
import { sampleRounds } from '../support/load.ts'
import { makeFolder, removeFolder } from '../support/make-folder.ts'
import {
  contentOf,
  findLostRows,
  insertOlderRows,
  olderRows,
  readApplied,
} from '../support/older-rows.ts'
import { startService } from '../support/start-service.ts'

const program = await bundleProgram(new URL('../support/migrate-and-die.ts', import.meta.url))
const steps = await readSteps()
/** The first version that could save and find a memory had these steps. */
const early = '20261121T1404-memory-terms'
const later = steps.slice(steps.indexOf(early) + 1)
/** The last step that rewrites texts; a step after it makes no backup. */
const lastRewriting = '20261123T0130-upgrade-tasks'

test('a database killed in each step keeps earlier steps, all rows and one backup', async () => {
  const { workspace, file } = await makeOlder()
  // Each run starts with the step in which the former was killed.
  let [first = ''] = later
  let backup = ''

  for (const step of sampleRounds(later, 6)) {
    if (first <= lastRewriting) backup = `memories.db.backup-${first}.db`
    await migrateAndDie(file, step)

    expect(readApplied(file)).toEqual(steps.slice(0, steps.indexOf(step)))
    expect(findLostRows(file)).toEqual([])
    expect(await backupsIn(workspace)).toEqual([backup])
    expect(findLostRows(join(workspace, 'memory', backup))).toEqual([])
    first = step
  }

  await expectWhole(workspace)
  await expectBackupsRemoved(workspace)
}, 180_000)

test('a daemon killed at any moment of an upgrade loses no row', async () => {
  const { workspace, file } = await makeOlder()

  for (const afterMs of sampleRounds([120, 170, 220, 270, 330, 400], 2)) {
    await launchAndKill({ workspace }, afterMs)
    expect(findLostRows(file)).toEqual([])
  }

  await expectWhole(workspace)
})

/** The backup holds texts as they were before cleaning. */
async function expectBackupsRemoved(workspace: string): Promise<void> {
  const service = await startService({ workspace, engine: 'sqlite', mode: 'local' })
  onTestFinished(() => service.stop())
  await expect.poll(() => backupsIn(workspace), { timeout: 20_000 }).toEqual([])
  await service.stop()
  const logged = await listFilesHolding(workspace, 'backups with uncleaned text removed')
  expect(logged).toEqual([expect.stringMatching(/\.log$|\.jsonl$/)])
}

/** The newest daemon serves each row by its text and its hint, and its checks pass. */
async function expectWhole(workspace: string): Promise<void> {
  const service = await startService({ workspace, engine: 'sqlite', mode: 'local' })
  onTestFinished(() => service.stop())
  const ask = async (operation: string) => (await service.ask(operation, { agent: 'default' })).body

  expect((await ask('GET /api/memories'))['stats']).toMatchObject({ total: olderRows })
  for (const number of [1, olderRows]) {
    const found = { id: `old-${number}`, content: contentOf(number), tags: 'old' }
    expect((await ask(`GET /memory/search?q=word${number}`))['results']).toMatchObject([found])
    expect(await ask(`GET /api/memory/old-${number}/history`)).toMatchObject({ count: 1 })
  }
  const body = { content: 'saved by the newest version' }
  expect(await service.ask('POST /api/memory/remember', { body })).toMatchObject({ status: 200 })
  await service.stop()
  expect(inspectDatabase(workspace)).toEqual([])
  expect(readApplied(join(workspace, 'memory', 'memories.db'))).toEqual(steps)
}

/** A workspace as an early version left it. */
async function makeOlder() {
  const workspace = await makeFolder()
  const file = join(workspace, 'memory', 'memories.db')
  await migrateAndDie(file, later[0] ?? '')
  expect(readApplied(file).at(-1)).toBe(early)
  insertOlderRows(file)
  return { workspace, file }
}

/** The steps that a new database of the daemon applies. */
async function readSteps(): Promise<readonly string[]> {
  const workspace = await mkdtemp(join(tmpdir(), 'reverie-steps-'))
  const service = await startService({ workspace, engine: 'sqlite' })
  await service.stop()
  const applied = readApplied(join(workspace, 'memory', 'memories.db'))
  await removeFolder(workspace)
  return applied
}

async function migrateAndDie(file: string, step: string): Promise<void> {
  const taken = steps.slice(0, steps.indexOf(step) + 1)
  const [, signal] = await once(
    spawn(process.execPath, [program, file, ...taken], { stdio: 'inherit' }),
    'exit',
  )
  expect(signal).toBe('SIGKILL')
}

async function backupsIn(workspace: string): Promise<string[]> {
  const names = await readdir(join(workspace, 'memory'))
  return names.filter((name) => name.includes('backup'))
}
