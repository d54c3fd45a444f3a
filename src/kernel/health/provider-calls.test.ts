import { expect, test } from 'vitest'
import { createProviderCalls } from './provider-calls.ts'

test('the ring has the last 100 calls, and totals count all calls by provider', () => {
  const calls = createProviderCalls()
  for (let index = 0; index < 150; index++)
    calls.add({ provider: 'a', outcome: index < 50 ? 'failure' : 'success', durationMs: 2 })

  expect(calls.recent()).toHaveLength(100)
  expect(calls.recent().every(({ outcome }) => outcome === 'success')).toBe(true)
  expect(calls.totals().get('a')).toEqual({ calls: 150, failures: 50, totalLatencyMs: 300 })
})

test('providers beyond 200 count as other', () => {
  const calls = createProviderCalls()
  for (let index = 0; index < 300; index++)
    calls.add({ provider: `p${index}`, outcome: 'timeout', durationMs: 1 })

  expect(calls.totals().size).toBe(201)
  expect(calls.totals().get('other')).toMatchObject({ calls: 100, failures: 100 })
})
