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
  'five failures by %s open the breaker of that origin only',
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
])("an error that is not the origin's fault does not open its breaker: %s", async (error) => {
  const breakers = createBreakers()
  await failTimes(20, breakers, error)

  expect(await breakers('a', well)).toEqual({ status: 200 })
})

test('bounds the number of breakers', async () => {
  const breakers = createBreakers()
  await failTimes(5, breakers, refusal('outbound_timeout'))
  for (let other = 0; other < 255; other++) await breakers(`other-${other}`, well)
  await expect(breakers('a', well)).rejects.toThrow()
  for (let other = 0; other < 256; other++) await breakers(`other-${other}`, well)

  expect(await breakers('a', well)).toEqual({ status: 200 })
})
