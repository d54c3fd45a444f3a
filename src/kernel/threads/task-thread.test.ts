import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { threadId } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { realHost } from '../host/host.ts'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import type * as fixture from './task.fixture.ts'
import { createTaskThread, TooLate } from './task-thread.ts'

const minute = 60_000
const options = {
  host: realHost,
  from: import.meta.url,
  module: './task.fixture',
  idleTimeoutMs: minute,
}

test('runs tasks one after another in the same other thread', async () => {
  const thread = start()

  expect(await thread.run('add', { one: 2, other: 3 }, minute)).toBe(5)
  const first = await thread.run('identify', undefined, minute)
  expect(first).not.toBe(threadId)
  expect(await thread.run('identify', undefined, minute)).toBe(first)
})

test('an error of a task rejects its caller, and the thread continues', async () => {
  const thread = start()

  await expect(thread.run('fail', undefined, minute)).rejects.toThrow('out of range')
  expect(await thread.run('add', { one: 1, other: 1 }, minute)).toBe(2)
})

test('terminates a task that misses its deadline, and the next one gets a new thread', async () => {
  const host = manualClockHost()
  const thread = start({ host })
  const hanging = thread.run('hang', undefined, minute)
  await host.advance(minute)

  await expect(hanging).rejects.toThrow(TooLate)
  expect(await thread.run('add', { one: 1, other: 1 }, minute)).toBe(2)
})

test('refuses tasks when the queue is full', async () => {
  const thread = start({ maxWaiting: 1 })
  const hanging = Promise.allSettled([1, 2].map(() => thread.run('hang', undefined, minute)))

  await expect(thread.run('hang', undefined, minute)).rejects.toMatchObject({ code: 'queue_full' })
  await thread.close()
  const late = { status: 'rejected', reason: expect.any(TooLate) }
  expect(await hanging).toEqual([late, late])
})

test('a thread that cannot start rejects the waiting tasks only', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'broken.ts'), 'const twice = 1; const twice = 2')
  const from = pathToFileURL(join(folder, 'here.ts')).href
  const thread = start({ from, module: './broken' })
  const add = () => thread.run('add', { one: 1, other: 1 }, minute)
  const broken = { status: 'rejected', reason: expect.any(SyntaxError) }

  expect(await Promise.allSettled([add(), add()])).toEqual([broken, broken])
  await expect(add()).rejects.toThrow('twice')
})

function start(others: Partial<Parameters<typeof createTaskThread>[0]> = {}) {
  const thread = createTaskThread<typeof fixture>({ ...options, ...others })
  onTestFinished(() => thread.close())
  return thread
}
