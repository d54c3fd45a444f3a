import { expect, test } from 'vitest'
import type { Principal } from '../auth/authenticate.ts'
import { Refusal } from '../errors/refusal.ts'
import { serve } from '../testing/serve.ts'
import { route } from './route.ts'
import { toServerSentEvents } from './stream.ts'
import { createSubscriptions, toSubscriber } from './subscriptions.ts'

const times = { keepaliveMs: 60_000, stallTimeoutMs: 60_000 }
const expired = new Refusal('unauthenticated', 'unauthenticated', 'The token has expired.')
const principal: Principal = {
  role: 'admin',
  scope: {},
  claims: null,
  refusal: null,
  subject: 'me',
}

test('a daemon has at most 64 streams and a caller eight; a closed one frees its place', () => {
  const { open } = createSubscriptions()
  const own = Array.from({ length: 8 }, () => open('ada'))
  const refused = { kind: 'too_many', code: 'too_many_streams' }
  expect(() => open('ada')).toThrow(expect.objectContaining(refused))
  for (let caller = 0; caller < 7; caller++)
    for (let stream = 0; stream < 8; stream++) open(`caller ${caller}`)

  expect(() => open('bob')).toThrow(expect.objectContaining(refused))
  own[0]?.()
  open('bob')
  expect(() => open('ada')).toThrow('64 open streams')
})

test('tokens of several agents count apart, and so do agents without a token', () => {
  const claims = { sub: 'token:agent', role: 'agent', iat: 0, exp: 1 } as const
  const withScope = (scope: { agent?: string }) =>
    toSubscriber({ claims: { ...claims, scope }, subject: claims.sub }, { agentId: 'eve' })
  const withoutToken = (agentId: string) =>
    toSubscriber({ claims: null, subject: '127.0.0.1' }, { agentId })

  expect(withScope({ agent: 'ada' })).not.toBe(withScope({ agent: 'bob' }))
  expect(withScope({})).toBe('token:agent')
  expect(withoutToken('ada')).not.toBe(withoutToken('bob'))
})

test.each([
  [true, 'ends'],
  [false, 'stays'],
])('with isSubscription %s a stream whose credential expires %s', async (isSubscription, end) => {
  const state = { isValid: true }
  async function* ticks() {
    for (let id = 0; id < 40 || isSubscription; id++) {
      yield { id, data: 'x' }
      await new Promise((resolve) => setTimeout(resolve, 5))
      state.isValid = false
    }
  }
  const stream = route({
    name: 'test.stream',
    method: 'GET',
    path: '/stream',
    permission: 'recall',
    isSubscription,
    handle: async () => toServerSentEvents(ticks()),
  })
  const url = await serve([stream], {
    authenticate: () => ({ ...principal, refusal: state.isValid ? null : expired }),
    streamTimes: { ...times, recheckMs: 10 },
  })

  const events = (await (await fetch(`${url}/stream`)).text()).split('\n\n').length - 1
  expect(events < 40 ? 'ends' : 'stays').toBe(end)
})
