import { z } from 'zod'
import { type Route, route } from '../../kernel/http/route.ts'
import { toServerSentEvents } from '../../kernel/http/stream.ts'
import type { LoginEvent, Logins } from './oauth/index.ts'

const completeLimit = 16_384

const byProvider = z.object({ id: z.string() })
const completeBody = z.object({
  sessionId: z.string().describe('Of the event `session`.'),
  responseId: z.string().describe('Of the event `manual_code`.'),
  value: z.string().describe('The code, or the whole address of the page after the login.'),
})
const succeeded = z.object({ success: z.literal(true) })

export function loginRoutes(
  logins: Pick<Logins, 'login' | 'complete' | 'disconnect'>,
): readonly Route[] {
  return [
    route({
      name: 'inference.login',
      method: 'POST',
      path: '/api/inference/oauth/login/:id',
      permission: 'admin',
      limit: 'admin',
      summary: 'Sign in at a provider; streams the steps until the login ends.',
      params: byProvider,
      handle: async ({ params }) => {
        const { id, events } = await logins.login(params.id)
        return toServerSentEvents(toNamed(events), { headers: { 'x-svc-oauth-session-id': id } })
      },
    }),
    route({
      name: 'inference.complete-login',
      method: 'POST',
      path: '/api/inference/oauth/complete',
      permission: 'admin',
      limit: 'admin',
      bodyLimit: completeLimit,
      summary: 'Answer a question of a login in progress, such as a pasted code.',
      body: completeBody,
      reply: succeeded,
      handle: async ({ body }) => {
        logins.complete(body)
        return { success: true as const }
      },
    }),
    route({
      name: 'inference.disconnect',
      method: 'POST',
      path: '/api/inference/oauth/disconnect/:id',
      permission: 'admin',
      limit: 'admin',
      summary: 'Delete the stored credential of a login.',
      params: byProvider,
      reply: succeeded.extend({ disconnected: z.boolean() }),
      handle: async ({ params }) => ({
        success: true as const,
        disconnected: await logins.disconnect(params.id),
      }),
    }),
  ]
}

/** Not a generator, because a generator that awaits its next event cannot be closed. */
function toNamed(events: AsyncIterable<LoginEvent>) {
  return {
    [Symbol.asyncIterator]: () => {
      const source = events[Symbol.asyncIterator]()
      const next = async () => {
        const { done, value } = await source.next()
        return done
          ? ({ done, value: undefined } as const)
          : ({ done: false, value: { event: value.type, data: value } } as const)
      }
      const end = async () => {
        await source.return?.()
        return { done: true, value: undefined } as const
      }
      return { next, return: end }
    },
  }
}
