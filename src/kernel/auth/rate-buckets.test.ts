import { expect, test } from 'vitest'
import { createRateLimits, type RateLimits, toNetwork } from './rate-buckets.ts'

const start = Date.parse('2026-01-02T03:04:05.000Z')

function counting(limits: RateLimits = {}) {
  const clock = { ms: start }
  const count = createRateLimits({ now: () => new Date(clock.ms) }, limits)
  return { clock, count }
}

test('limits the calls in a window and returns its end; then a new window starts', () => {
  const { clock, count } = counting()
  const login = () => count('10.0.0.1', ['login'])
  for (let call = 0; call < 5; call++) login()

  expect(login).toThrow(
    expect.objectContaining({
      kind: 'too_many',
      message: 'rate limit exceeded',
      details: { retryAfter: start + 60_000 },
    }),
  )
  clock.ms += 59_999
  expect(login).toThrow()
  clock.ms += 1
  expect(login).not.toThrow()
})

test('counts subjects and buckets separately', () => {
  const { count } = counting({ login: { max: 1 }, admin: { max: 1 } })
  count('ada', ['login'])

  expect(() => count('ada', ['admin'])).not.toThrow()
  expect(() => count('bob', ['login'])).not.toThrow()
  expect(() => count('ada', ['login'])).toThrow()
})

test('counts a refused call in no bucket', () => {
  const { count } = counting({ forget: { max: 2 }, forceDelete: { max: 0 } })
  expect(() => count('ada', ['forget', 'forceDelete'])).toThrow()
  count('ada', ['forget'])

  expect(() => count('ada', ['forget'])).not.toThrow()
})

test('the length and limit of a window are configurable', () => {
  const { clock, count } = counting({ login: { windowMs: 10, max: 1 } })
  count('ada', ['login'])
  expect(() => count('ada', ['login'])).toThrow()
  clock.ms += 10

  expect(() => count('ada', ['login'])).not.toThrow()
})

test('bounds the number of windows by evicting the oldest', () => {
  const { count } = counting({ login: { max: 1 } })
  count('first', ['login'])
  for (let peer = 0; peer < 10_000; peer++) count(`peer ${peer}`, ['login'])

  expect(() => count('first', ['login'])).not.toThrow()
  expect(() => count('peer 9999', ['login'])).toThrow()
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('the peer %s counts as %s', (peer, network) => {
  expect(toNetwork(peer)).toBe(network)
})
