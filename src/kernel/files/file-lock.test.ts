import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createFileLocks } from './file-lock.ts'

async function place() {
  const file = join(await temporaryFolder(), 'file')
  const host = manualClockHost()
  const leave = async (owner: object) => {
    await mkdir(`${file}.lock`)
    await writeFile(join(`${file}.lock`, 'owner.json'), JSON.stringify(owner))
  }
  const now = host.now().toISOString()
  return { file, host, leave, now, locks: createFileLocks(host) }
}

/** A process that runs until the end of the test. */
function startOther(): number {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  onTestFinished(async () => {
    const gone = once(other, 'close')
    other.kill('SIGKILL')
    await gone
  })
  return other.pid ?? 0
}

test('a held lock names its owner and is released after the work, even if it fails', async () => {
  const { file, locks } = await place()

  const owner = await locks.withLock(file, () =>
    readFile(join(`${file}.lock`, 'owner.json'), 'utf8'),
  )
  await expect(locks.withLock(file, () => Promise.reject(new Error('in vain')))).rejects.toThrow(
    'vain',
  )

  expect(JSON.parse(owner)).toMatchObject({ pid: process.pid })
  expect(await readdir(dirname(file))).toEqual([])
})

test('removes a lock whose owner file cannot be written', async () => {
  const longest = process.platform === 'linux' ? 4096 : 1024
  let folder = await temporaryFolder()
  while (folder.length < longest - 200) folder = join(folder, 'x'.repeat(100))
  await mkdir(folder, { recursive: true })
  const name = 'y'.repeat(longest - folder.length - '/.lock/owner'.length)

  const holding = createFileLocks(manualClockHost()).withLock(
    join(folder, name),
    async () => 'held',
  )

  await expect(holding).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
  expect(await readdir(folder)).toEqual([])
})

test('serializes concurrent holders', async () => {
  const { file, locks } = await place()
  const steps: string[] = []
  const work = (name: string) => async () => {
    steps.push(`${name} begins`)
    await new Promise(setImmediate)
    steps.push(`${name} ends`)
  }

  await Promise.all(['a', 'b', 'c'].map((name) => locks.withLock(file, work(name))))

  expect(steps).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]))
})

test('removes the lock of a dead process or of an earlier process with the same id', async () => {
  const { file, leave, now, locks } = await place()
  const dead = spawn(process.execPath, ['-e', ''])
  await once(dead, 'close')

  for (const pid of [dead.pid, process.pid]) {
    await leave({ pid, token: 'left', created_at: now })
    expect(await locks.withLock(file, async () => 'held')).toBe('held')
  }
})

test('waits for a living owner and refuses after a timeout', async () => {
  const { file, host, leave, now, locks } = await place()
  await leave({ pid: startOther(), token: 'theirs', created_at: now })

  const holding = locks.withLock(file, async () => 'held').catch((error: unknown) => error)
  const watched = { over: false }
  void holding.then(() => {
    watched.over = true
  })
  while (!watched.over) {
    for (const ms of host.sleeps()) host.advance(ms)
    await new Promise(setImmediate)
  }

  expect(await holding).toMatchObject({ kind: 'unavailable', code: 'file_locked' })
})

test('removes a lock that is too old', async () => {
  const { file, leave, locks } = await place()
  await leave({ pid: startOther(), token: 'theirs', created_at: '2026-01-01T00:00:00.000Z' })

  expect(await locks.withLock(file, async () => 'held')).toBe('held')
})

test('removes a lock without an owner file after two seconds', async () => {
  const { file, host, locks } = await place()
  const made = new Date(host.now().getTime() - 1_000)
  await mkdir(`${file}.lock`)
  await utimes(`${file}.lock`, made, made)

  const holding = locks.withLock(file, async () => 'held')
  while (host.sleeps().length === 0) await new Promise(setImmediate)
  host.advance(1_001)

  expect(await holding).toBe('held')
})

test('`confirm` throws when the lock was lost', async () => {
  const { file, leave, now, locks } = await place()

  const holding = locks.withLock(file, async ({ confirm }) => {
    await confirm()
    await rm(`${file}.lock`, { recursive: true })
    await leave({ pid: 1, token: 'theirs', created_at: now })
    await confirm()
  })

  await expect(holding).rejects.toMatchObject({ code: 'file_locked' })
  expect(await readFile(join(`${file}.lock`, 'owner.json'), 'utf8')).toContain('theirs')
})
