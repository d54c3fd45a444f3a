import { expect, test } from 'vitest'
import { TooLate } from '../../kernel/threads/task-thread.ts'
import { createTimeoutLatch } from './breaker.ts'

const open = new AbortController().signal
const late = () => Promise.reject(new TooLate('no answer within 5 ms'))
const broken = () => Promise.reject(new Error('no such file'))
const works = () => Promise.resolve('made')

test('work is rejected after a time-out', async () => {
  const latch = createTimeoutLatch()
  expect(await latch.run(works, open)).toBe('made')
  const said = 'no answer within 5 ms: disabled until restart'

  await expect(latch.run(late, open)).rejects.toMatchObject({ kind: 'provider', message: said })
  await expect(latch.run(works, open)).rejects.toMatchObject({ kind: 'provider', message: said })
  expect(latch.tripped()).toBe(said)
})

test('errors and aborts do not trip the latch', async () => {
  const latch = createTimeoutLatch()

  await expect(latch.run(broken, open)).rejects.toMatchObject({ message: 'no such file' })
  await expect(latch.run(late, AbortSignal.abort())).rejects.toMatchObject({ kind: 'provider' })
  expect(latch.tripped()).toBeUndefined()
  expect(await latch.run(works, open)).toBe('made')
})
