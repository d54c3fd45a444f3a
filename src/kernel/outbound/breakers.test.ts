import { expect, test } from 'vitest'
import { Refusal } from '../errors/refusal.ts'
import { createBreakers, type WithBreaker } from './breakers.ts'

const well = async () => ({ status: 200 })
const failTimes = async (times: number, breakers: WithBreaker, error: Error) => {
  for (let time = 0; time < times; time++)
    await expect(breakers('a', () => Promise.reject(error))).rejects.toBe(error)
}
const refusal = (code: string) => new Refusal('unavailable', code, 'No.')

test.each(['outbound_timeout', 'outbound_unavailable'])(
  'an origin is closed by %s five times, and no other with it',
  async (code) => {
    const breakers = createBreakers()
    await failTimes(5, breakers, refusal(code))

    await expect(breakers('a', well)).rejects.toMatchObject({ code: 'outbound_unavailable' })
    expect(await breakers('b', well)).toEqual({ status: 200 })
  },
)

test.each([
  refusal('outbound_address'),
  refusal('outbound_too_large'),
  refusal('outbound_type'),
  new Error('no longer wanted'),
])('what is not its fault does not close an origin: %s', async (error) => {
  const breakers = createBreakers()
  await failTimes(20, breakers, error)

  expect(await breakers('a', well)).toEqual({ status: 200 })
})

test('only so many origins are remembered', async () => {
  const breakers = createBreakers()
  await failTimes(5, breakers, refusal('outbound_timeout'))
  for (let other = 0; other < 255; other++) await breakers(`other-${other}`, well)
  await expect(breakers('a', well)).rejects.toThrow()
  for (let other = 0; other < 256; other++) await breakers(`other-${other}`, well)

  expect(await breakers('a', well)).toEqual({ status: 200 })
})
