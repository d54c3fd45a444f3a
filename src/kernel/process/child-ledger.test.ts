import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createChildLedger } from './child-ledger.ts'

const log = createLog('silent')
const hasProc = process.platform === 'linux'

async function startSleep() {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
  await once(child, 'spawn')
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return { child, pid: child.pid ?? 0 }
}

const createLedger = async () => {
  const folder = join(await temporaryFolder(), 'children')
  return { folder, ledger: createChildLedger(folder, log) }
}

test.runIf(hasProc)('an entry has the purpose and the identity of the process', async () => {
  const { folder, ledger } = await createLedger()
  const { pid } = await startSleep()
  const remove = await ledger.add({ pid, purpose: 'exec' })
  const file = join(folder, String(pid))

  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    purpose: 'exec',
    startTime: expect.stringMatching(/^\d+$/),
    bootId: expect.stringMatching(/^[\w-]{36}$/),
  })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await remove()
  expect(await readdir(folder)).toEqual([])
})

test.runIf(hasProc)('the next start kills a group that is left, and its entry', async () => {
  const { folder, ledger } = await createLedger()
  const { child, pid } = await startSleep()
  const ended = once(child, 'exit')
  await ledger.add({ pid, purpose: 'exec' })
  await createChildLedger(folder, log).killLeftovers()

  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(await readdir(folder)).toEqual([])
})

test.runIf(hasProc).each([
  ['another start time', { startTime: '1' }],
  ['another boot', { bootId: 'another' }],
  ['no identity', { bootId: undefined, startTime: undefined }],
])('a process with %s is not killed', async (_, change) => {
  const { folder, ledger } = await createLedger()
  const { child, pid } = await startSleep()
  await ledger.add({ pid, purpose: 'exec' })
  const file = join(folder, String(pid))
  const entry = { ...JSON.parse(await readFile(file, 'utf8')), ...change }
  await writeFile(file, JSON.stringify(entry))
  await ledger.killLeftovers()

  expect([child.exitCode, child.signalCode]).toEqual([null, null])
  expect(process.kill(pid, 0)).toBe(true)
  expect(await readdir(folder)).toEqual([])
})

test('incomplete entries, foreign files and a missing folder are no error', async () => {
  const { folder, ledger } = await createLedger()
  await ledger.killLeftovers()
  await (await ledger.add({ pid: process.pid, purpose: 'not a child' }))()
  await mkdir(folder, { recursive: true })
  const { pid } = await startSleep()
  await ledger.add({ pid, purpose: 'exec' })
  for (const name of ['0', '1', String(pid), 'README', '-1'])
    await writeFile(join(folder, name), '{"startTime":')
  await mkdir(join(folder, '77'))
  await ledger.killLeftovers()

  expect(process.kill(pid, 0)).toBe(true)
  expect(await readdir(folder)).toEqual([])
})
