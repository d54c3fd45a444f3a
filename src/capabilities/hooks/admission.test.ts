import { expect, test } from 'vitest'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { createAdmission } from './admission.ts'

const host = fixedHost()
const noSignal = new AbortController().signal
const overload = {
  kind: 'unavailable',
  message: expect.stringContaining('Retry shortly'),
  details: { retryAfter: host.now().getTime() + 1000 },
}

function admissionFixture() {
  const admit = createAdmission(host)
  const gate = Promise.withResolvers<void>()
  const call = (signal: AbortSignal = noSignal) => admit(signal, () => gate.promise)
  return { admit, call, gate }
}

test('admits eight calls and refuses the ninth without running it', async () => {
  const { admit, call, gate } = admissionFixture()
  const calls = Array.from({ length: 8 }, () => call())
  let ran = false

  await expect(admit(noSignal, async () => (ran = true))).rejects.toMatchObject(overload)

  expect(ran).toBe(false)
  gate.resolve()
  await Promise.all(calls)
  expect(await admit(noSignal, async () => 'result')).toBe('result')
})

test('a fault or a disconnected client frees its slot', async () => {
  const { admit, call, gate } = admissionFixture()
  const client = new AbortController()
  const calls = Array.from({ length: 7 }, () => call())
  const fail = async () => {
    throw new Error('failure')
  }

  await expect(admit(noSignal, fail)).rejects.toThrow('failure')
  calls.push(call(client.signal))
  await expect(call()).rejects.toMatchObject(overload)
  client.abort()
  calls.push(call())
  await expect(call()).rejects.toMatchObject(overload)

  gate.resolve()
  await Promise.all(calls)
})
