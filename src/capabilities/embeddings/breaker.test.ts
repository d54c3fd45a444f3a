import { expect, test } from 'vitest'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { createBreaker } from './breaker.ts'
import { EmbeddingFailure } from './embedder.ts'

const down = () => Promise.reject(new EmbeddingFailure('provider', 'it answered 500'))
const bad = () => Promise.reject(new EmbeddingFailure('text', 'it answered 400'))

test('opens after five consecutive failures, with exponential backoff', async () => {
  const host = manualClockHost()
  const breaker = createBreaker(host)
  const calls: string[] = []
  const call = async () => {
    calls.push('called')
    return await down()
  }
  for (let at = 0; at < 7; at += 1) await expect(breaker.run(call)).rejects.toThrow('500')
  expect(calls).toHaveLength(5)

  host.advance(30_000)
  for (let at = 0; at < 3; at += 1) await expect(breaker.run(call)).rejects.toThrow('500')
  expect(calls).toHaveLength(6)

  host.advance(30_000)
  await expect(breaker.run(call)).rejects.toThrow('circuit breaker open')
  host.advance(30_000)
  expect(await breaker.run(async () => 'well')).toBe('well')
  expect(await breaker.run(async () => 'well')).toBe('well')
})

test('stays open for at most ten minutes, and a success resets the backoff', async () => {
  const host = manualClockHost()
  const breaker = createBreaker(host)
  const fail = () => expect(breaker.run(down)).rejects.toThrow('500')
  for (let at = 0; at < 5; at += 1) await fail()
  for (let at = 0; at < 9; at += 1) {
    host.advance(600_000)
    await fail()
  }
  host.advance(600_000)
  await breaker.run(async () => 'well')

  for (let at = 0; at < 5; at += 1) await fail()
  host.advance(30_000)
  expect(await breaker.run(async () => 'well')).toBe('well')
})

test('a rejected text is not a provider failure', async () => {
  const breaker = createBreaker(manualClockHost())
  for (let at = 0; at < 9; at += 1) await expect(breaker.run(bad)).rejects.toThrow('400')

  expect(await breaker.run(async () => 'well')).toBe('well')
})

test('a success that may be cached does not reset the failures', async () => {
  const breaker = createBreaker(manualClockHost())
  for (let at = 0; at < 5; at += 1) {
    await breaker.run(async () => 'known', { mayBeCached: true })
    await expect(breaker.run(down)).rejects.toThrow('500')
  }

  await expect(breaker.run(async () => 'well')).rejects.toThrow('circuit breaker open')
})

test('rejected probes open the breaker', async () => {
  const breaker = createBreaker(manualClockHost())
  const probe = { isProbe: true }
  for (let at = 0; at < 5; at += 1) await expect(breaker.run(bad, probe)).rejects.toThrow('400')

  await expect(breaker.run(async () => 'well')).rejects.toThrow('circuit breaker open')
})

const late = async (breaker: ReturnType<typeof createBreaker>, work: object) => {
  const held = Promise.withResolvers<string>()
  const pendingWork = breaker.run(() => held.promise, work)
  await Promise.allSettled([1, 2, 3, 4, 5].map(() => breaker.run(down)))
  held.resolve('well')
  expect(await pendingWork).toBe('well')
}

test('a late success of an earlier call closes the breaker', async () => {
  const breaker = createBreaker(manualClockHost())
  await late(breaker, {})

  expect(await breaker.run(async () => 'well')).toBe('well')
})

test('a success that may be cached does not close the breaker', async () => {
  const breaker = createBreaker(manualClockHost())
  await late(breaker, { mayBeCached: true })

  await expect(breaker.run(down)).rejects.toThrow('circuit breaker open: it answered 500')
})
