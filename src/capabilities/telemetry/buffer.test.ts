import { expect, test } from 'vitest'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { createBuffer } from './buffer.ts'

function createTestBuffer(maxQueued: number, batchSize: number) {
  const host = manualClockHost()
  const batches: number[][] = []
  const lost: unknown[][] = []
  const buffer = createBuffer<number>({
    host,
    maxQueued,
    batchSize,
    flushDelayMs: 1000,
    write: async (items) => {
      if (items.includes(0)) throw new Error('full disk')
      batches.push([...items])
    },
    onLost: (...loss) => void lost.push(loss),
  })
  return { host, buffer, batches, lost }
}

test('writes a batch when it is full or after the delay', async () => {
  const { host, buffer, batches } = createTestBuffer(10, 3)
  buffer.add(1)
  buffer.add(2)
  expect(host.sleeps()).toEqual([1000])
  host.advance(1000)
  await expect.poll(() => batches).toEqual([[1, 2]])

  for (const item of [3, 4, 5]) buffer.add(item)
  await expect
    .poll(() => batches)
    .toEqual([
      [1, 2],
      [3, 4, 5],
    ])
})

test('a full queue drops the oldest items and reports their number', async () => {
  const { buffer, batches, lost } = createTestBuffer(2, 5)
  for (const item of [1, 2, 3, 4]) buffer.add(item)
  await buffer.flush()

  expect(batches).toEqual([[3, 4]])
  expect(lost).toEqual([[2]])
})

test('reports a failed batch and writes the next one', async () => {
  const { buffer, batches, lost } = createTestBuffer(10, 2)
  for (const item of [0, 1, 2]) buffer.add(item)
  await buffer.flush()
  await buffer.flush()

  expect(batches).toEqual([[2]])
  expect(lost).toMatchObject([[2, { message: 'full disk' }]])
})
