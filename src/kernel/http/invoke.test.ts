import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Principal } from '../auth/authenticate.ts'
import { createRateLimits } from '../auth/rate-buckets.ts'
import { Refusal } from '../errors/refusal.ts'
import { fixedHost } from '../testing/fixed-host.ts'
import { serve } from '../testing/serve.ts'
import { type Route, type RouteInput, route } from './route.ts'

const inner = (more: Partial<Route> = {}) =>
  route({
    name: 'test.inner',
    method: 'POST',
    path: '/inner',
    permission: 'forget',
    limit: 'forget',
    params: z.object({ id: z.string() }),
    body: z.object({ count: z.number().max(9) }),
    reply: z.object({ id: z.string(), count: z.number(), agent: z.string(), actor: z.string() }),
    handle: async ({ params, body, caller }) => ({
      ...Object(params),
      ...Object(body),
      agent: caller.agentId,
      actor: caller.name,
      hidden: true,
    }),
    ...more,
  })

const principal: Principal = {
  role: 'agent',
  scope: {},
  claims: null,
  refusal: null,
  subject: 'me',
}

/** Invokes the inner route with the posted input and returns the code of a refusal. */
async function open(more: Partial<Route> = {}, role: Principal['role'] = 'agent') {
  const within = inner(more)
  const outer = route({
    name: 'test.outer',
    method: 'POST',
    path: '/outer',
    permission: 'authenticated',
    body: z.object({ sent: z.unknown() }),
    handle: async ({ body, invoke }) => {
      try {
        return (await invoke(within, body.sent as RouteInput)).body
      } catch (error) {
        return { refused: error instanceof Refusal ? error.code : 'fault' }
      }
    },
  })
  const countCall = createRateLimits(fixedHost(), { forget: { max: 2 } })
  const url = await serve([outer], {
    authenticate: () => ({ ...principal, role }),
    countCall,
  })
  return async (sent: RouteInput, headers = {}) => {
    const body = JSON.stringify({ sent })
    const type = { 'content-type': 'application/json' }
    const reply = await fetch(`${url}/outer`, {
      method: 'POST',
      body,
      headers: { ...type, ...headers },
    })
    return await reply.json()
  }
}

const sent = { params: { id: 'a' }, body: { count: 1 } }

test('a nested operation replies as on its own path and receives the given headers', async () => {
  const invoke = await open()

  expect(await invoke({ ...sent, headers: { 'x-svc-actor': 'model' } })).toEqual({
    id: 'a',
    count: 1,
    agent: 'default',
    actor: 'model',
  })
})

test('a nested operation applies its own permission, validation, precondition and rate limit', async () => {
  const closed = () => {
    throw new Refusal('unavailable', 'mutations_frozen', 'closed')
  }

  expect(await (await open({}, 'readonly'))(sent)).toEqual({ refused: 'permission_missing' })
  expect(await (await open({ precondition: closed }))(sent)).toEqual({
    refused: 'mutations_frozen',
  })
  expect(await (await open({ bodyPrecondition: closed }))(sent)).toEqual({
    refused: 'mutations_frozen',
  })
  const invoke = await open()
  expect(await invoke({ ...sent, body: { count: 10 } })).toEqual({ refused: 'invalid_request' })
  expect(await invoke(sent)).toMatchObject({ id: 'a' })
  expect(await invoke(sent)).toEqual({ refused: 'rate_limited' })
})

test('the input names the agent only if the connection names none', async () => {
  const invoke = await open({ limit: () => [] })
  const toBob = { ...sent, body: { count: 1, agent_id: 'bob' } }

  expect(await invoke(toBob)).toMatchObject({ agent: 'bob' })
  expect(await invoke(sent, { 'x-svc-agent-id': 'ada' })).toMatchObject({ agent: 'ada' })
  expect(await invoke(toBob, { 'x-svc-agent-id': 'ada' })).toEqual({ refused: 'other_agent' })
  expect(await invoke(toBob, { 'x-svc-session-key': 'agent:ada:1' })).toEqual({
    refused: 'other_agent',
  })
})
