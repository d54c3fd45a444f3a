import { expect, test } from 'vitest'
import { steeredHost } from '../../kernel/testing/steered-host.ts'
import { createBreaker } from './breaker.ts'
import { EmbeddingFailure } from './embedder.ts'

const down = () => Promise.reject(new EmbeddingFailure('provider', 'it answered 500'))
const bad = () => Promise.reject(new EmbeddingFailure('text', 'it answered 400'))

test('who fails five times in a row is left alone, each time for longer', async () => {
  const host = steeredHost()
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
  await expect(breaker.run(call)).rejects.toThrow('left alone')
  host.advance(30_000)
  expect(await breaker.run(async () => 'well')).toBe('well')
  expect(await breaker.run(async () => 'well')).toBe('well')
})

test('nobody is left alone for longer than ten minutes, and who is well begins anew', async () => {
  const host = steeredHost()
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

test('a text that will not do says nothing against its provider', async () => {
  const breaker = createBreaker(steeredHost())
  for (let at = 0; at < 9; at += 1) await expect(breaker.run(bad)).rejects.toThrow('400')

  expect(await breaker.run(async () => 'well')).toBe('well')
})

test('what may be known without asking says nothing for a provider', async () => {
  const breaker = createBreaker(steeredHost())
  for (let at = 0; at < 5; at += 1) {
    await breaker.run(async () => 'known', { mayBeKnown: true })
    await expect(breaker.run(down)).rejects.toThrow('500')
  }

  await expect(breaker.run(async () => 'well')).rejects.toThrow('left alone for a while')
})

test('who refuses probes is left alone, too', async () => {
  const breaker = createBreaker(steeredHost())
  const probe = { isProbe: true }
  for (let at = 0; at < 5; at += 1) await expect(breaker.run(bad, probe)).rejects.toThrow('400')

  await expect(breaker.run(async () => 'well')).rejects.toThrow('left alone for a while')
})

const late = async (breaker: ReturnType<typeof createBreaker>, work: object) => {
  const held = Promise.withResolvers<string>()
  const underWay = breaker.run(() => held.promise, work)
  await Promise.allSettled([1, 2, 3, 4, 5].map(() => breaker.run(down)))
  held.resolve('well')
  expect(await underWay).toBe('well')
}

test('who was asked before it was left alone, and answers, is well', async () => {
  const breaker = createBreaker(steeredHost())
  await late(breaker, {})

  expect(await breaker.run(async () => 'well')).toBe('well')
})

test('what may be known without asking ends no rest', async () => {
  const breaker = createBreaker(steeredHost())
  await late(breaker, { mayBeKnown: true })

  await expect(breaker.run(down)).rejects.toThrow('left alone for a while: it answered 500')
})
