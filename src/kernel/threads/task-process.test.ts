import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { realHost } from '../host/host.ts'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { noChildLedger } from '../testing/no-child-ledger.ts'
import type { processTasks } from './task-process.fixture.ts'
import { createTaskProcess, ProcessDied } from './task-process.ts'
import { TooLate } from './task-thread.ts'

const minute = 60_000

test('runs tasks on bytes in the same other process', async () => {
  const child = start()

  expect(await child.run('double', Uint8Array.of(1, 2), minute)).toEqual(Uint8Array.of(2, 4))
  const first = await child.run('identify', undefined, minute)
  expect(first).not.toBe(process.pid)
  expect(await child.run('identify', undefined, minute)).toBe(first)
})

test('an error of a task rejects its caller, and the process continues', async () => {
  const child = start()
  const first = await child.run('identify', undefined, minute)

  await expect(child.run('fail', undefined, minute)).rejects.toThrow('RangeError: out of range')
  expect(await child.run('identify', undefined, minute)).toBe(first)
})

test('a task that exhausts the heap ends its process only, and the next task gets a new one', async () => {
  const child = start()

  await expect(child.run('exhaustHeap', undefined, minute)).rejects.toThrow(ProcessDied)
  expect(await child.run('double', Uint8Array.of(3), minute)).toEqual(Uint8Array.of(6))
})

test('kills a process that misses its deadline', async () => {
  const host = manualClockHost()
  const child = start({ host, idleTimeoutMs: 2 * minute })
  const first = await child.run('identify', undefined, minute)
  const hanging = child.run('hang', undefined, minute)
  const late = expect(hanging).rejects.toThrow(TooLate)
  await expect.poll(() => host.sleeps()).toEqual([minute])
  host.advance(minute)
  await late

  expect(await child.run('identify', undefined, minute)).not.toBe(first)
})

test('ends an idle process, and one that has run its maximum of tasks', async () => {
  const host = manualClockHost()
  const child = start({ host, maxTasks: 2 })
  const pids = [
    await child.run('identify', undefined, minute),
    await child.run('identify', undefined, minute),
    await child.run('identify', undefined, minute),
  ]
  expect(pids[0]).toBe(pids[1])
  expect(pids[2]).not.toBe(pids[1])

  host.advance(minute)
  await expect.poll(() => host.sleeps()).toEqual([])
  expect(await child.run('identify', undefined, minute)).not.toBe(pids[2])
})

test('the process has no variables of the daemon and reads no file outside the package', async () => {
  const child = start()

  const pid = await child.run('identify', undefined, minute)
  expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/SVC|HOME|TOKEN/)
  await expect(child.run('readPasswords', undefined, minute)).rejects.toThrow('restricted')
})

test('a closed process fails its tasks', async () => {
  const child = start()
  const hanging = expect(child.run('hang', undefined, minute)).rejects.toThrow(ProcessDied)
  const waiting = expect(child.run('identify', undefined, minute)).rejects.toThrow(ProcessDied)
  await child.close()

  await Promise.all([hanging, waiting])
})

function start(others: Partial<Parameters<typeof createTaskProcess>[0]> = {}) {
  const child = createTaskProcess<typeof processTasks>({
    host: realHost,
    children: noChildLedger,
    purpose: 'test',
    from: import.meta.url,
    module: './task-process.fixture',
    maxHeapMb: 64,
    idleTimeoutMs: minute,
    maxTasks: 100,
    maxWaiting: 10,
    ...others,
  })
  onTestFinished(() => child.close())
  return child
}
