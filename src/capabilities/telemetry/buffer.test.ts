import { expect, test } from 'vitest'
import { steeredHost } from '../../kernel/testing/steered-host.ts'
import { createBuffer } from './buffer.ts'

function buffering(most: number, atOnce: number) {
  const host = steeredHost()
  const written: number[][] = []
  const lost: unknown[][] = []
  const buffer = createBuffer<number>({
    host,
    maxQueued: most,
    batchSize: atOnce,
    flushDelayMs: 1000,
    write: async (items) => {
      if (items.includes(0)) throw new Error('full disk')
      written.push([...items])
    },
    onLost: (...loss) => void lost.push(loss),
  })
  return { host, buffer, written, lost }
}

test('writes a batch when it is full or after the delay', async () => {
  const { host, buffer, written } = buffering(10, 3)
  buffer.add(1)
  buffer.add(2)
  expect(host.sleeps()).toEqual([1000])
  host.advance(1000)
  await expect.poll(() => written).toEqual([[1, 2]])

  for (const item of [3, 4, 5]) buffer.add(item)
  await expect
    .poll(() => written)
    .toEqual([
      [1, 2],
      [3, 4, 5],
    ])
})

test('a full queue drops the oldest items and reports their number', async () => {
  const { buffer, written, lost } = buffering(2, 5)
  for (const item of [1, 2, 3, 4]) buffer.add(item)
  await buffer.flush()

  expect(written).toEqual([[3, 4]])
  expect(lost).toEqual([[2]])
})

test('reports a failed batch and writes the next one', async () => {
  const { buffer, written, lost } = buffering(10, 2)
  for (const item of [0, 1, 2]) buffer.add(item)
  await buffer.flush()
  await buffer.flush()

  expect(written).toEqual([[2]])
  expect(lost).toMatchObject([[2, { message: 'full disk' }]])
})
