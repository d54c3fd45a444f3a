import { z } from 'zod'
import { Reply, type Route, route } from './route.ts'

export const body = z.object({
  word: z.string('word is required').optional(),
  count: z.number().optional(),
  why: z
    .string()
    .refine((why) => why !== 'because', { error: 'because is no reason' })
    .optional(),
})
export const echo = route({
  name: 'test.echo',
  method: 'POST',
  path: '/echo',
  permission: 'remember',
  body,
  aliases: ['/also/echo'],
  summary: 'Says it again.',
  handle: async ({ body, caller }) => ({ body, agent: caller.agentId }),
})
export const thing = route({
  name: 'test.thing',
  method: 'GET',
  path: '/things/:id',
  permission: 'recall',
  params: z.object({ id: z.string() }),
  reply: z.object({ id: z.string() }),
  handle: async ({ params }) => new Reply(202, params, { 'x-mark': 'yes' }),
})
const remove = route({
  name: 'test.remove',
  method: 'DELETE',
  path: '/things/:id',
  permission: 'forget',
  body,
  handle: async ({ body }) => ({ body }),
})
export const routes: readonly Route[] = [echo, thing, remove]

export const post = (url: string, body: string, type = 'application/json') =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': type } })
