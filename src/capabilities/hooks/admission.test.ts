import { expect, test } from 'vitest'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { createAdmission } from './admission.ts'

const host = fixedHost()
const never = new AbortController().signal
const overload = {
  ...{ kind: 'unavailable', message: expect.stringContaining('Retry shortly') },
  details: { retryAfter: host.now().getTime() + 1000 },
}

function crowd() {
  const admit = createAdmission(host)
  const open = Promise.withResolvers<void>()
  const enter = (signal: AbortSignal = never) => admit(signal, () => open.promise)
  return { admit, enter, open }
}

test('eight are let in, the ninth is not and has no work done', async () => {
  const { admit, enter, open } = crowd()
  const inside = Array.from({ length: 8 }, () => enter())
  let worked = false

  await expect(admit(never, async () => (worked = true))).rejects.toMatchObject(overload)

  expect(worked).toBe(false)
  open.resolve()
  await Promise.all(inside)
  expect(await admit(never, async () => 'in')).toBe('in')
})

test('a place is free again after a fault, and when its client is gone', async () => {
  const { admit, enter, open } = crowd()
  const leaving = new AbortController()
  const inside = Array.from({ length: 7 }, () => enter())
  const fail = async () => {
    throw new Error('no')
  }

  await expect(admit(never, fail)).rejects.toThrow('no')
  inside.push(enter(leaving.signal))
  await expect(enter()).rejects.toMatchObject(overload)
  leaving.abort()
  inside.push(enter())
  await expect(enter()).rejects.toMatchObject(overload)

  open.resolve()
  await Promise.all(inside)
})
