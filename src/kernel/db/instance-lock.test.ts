import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { lockWorkspace, WorkspaceLocked } from './instance-lock.ts'

const owner = { pid: 42, startedAt: '2026-01-02T03:04:05.000Z', host: 'here' }

test('refuses a workspace that another live process holds, and names the process', async () => {
  const folder = await temporaryFolder()
  const holder = await holdInAnotherProcess(folder)

  const refused = lockWorkspace(folder, owner)
  await expect(refused).rejects.toBeInstanceOf(WorkspaceLocked)
  await expect(refused).rejects.toThrow(
    `The workspace ${folder} is in use by process ${holder.pid} since just now.`,
  )
})

test('the lock of a killed process is free for the next one', async () => {
  const folder = await temporaryFolder()
  const holder = await holdInAnotherProcess(folder)
  holder.kill('SIGKILL')
  await once(holder, 'exit')

  const lock = await lockWorkspace(folder, owner)
  onTestFinished(() => lock.release())

  expect(JSON.parse(await readFile(join(folder, '.daemon', 'daemon.lock'), 'utf8'))).toEqual(owner)
})

test('a process gets the lock once, and again after a release', async () => {
  const folder = await temporaryFolder()
  const first = await lockWorkspace(folder, owner)
  await first.describe({ ...owner, address: 'http://127.0.0.1:1' })

  await expect(lockWorkspace(folder, owner)).rejects.toThrow(/process 42 .* at http:/)
  await first.release()
  expect(await readdir(join(folder, '.daemon'))).toEqual(['lock.db'])

  await (await lockWorkspace(folder, owner)).release()
})

test('names a damaged lock file and the remedy', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, '.daemon'))
  await writeFile(join(folder, '.daemon', 'lock.db'), 'no database'.repeat(100))

  await expect(lockWorkspace(folder, owner)).rejects.toThrow(
    /The lock file .*lock\.db is damaged\. .* delete it, then start/,
  )
})

async function holdInAnotherProcess(folder: string): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('./hold-lock.fixture.ts', import.meta.url))
  const holder = spawn(process.execPath, [program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    holder.kill('SIGKILL')
  })
  await once(holder.stdout, 'data')
  return holder
}
