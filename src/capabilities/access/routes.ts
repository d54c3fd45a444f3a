import { type Route, route } from '../../kernel/http/route.ts'
import { issue } from './issue.ts'
import type { AccessNeeds } from './needs.ts'
import * as wire from './schemas.ts'
import { whoAmI } from './who-am-i.ts'

export function accessRoutes(needs: AccessNeeds): readonly Route[] {
  const { mode } = needs
  return [
    route({
      name: 'access.issue',
      method: 'POST',
      path: '/api/auth/token',
      permission: 'admin',
      limit: 'admin',
      summary: 'Signs a token for a role, confined to a scope when one is given.',
      body: wire.tokenBody,
      reply: wire.tokenReply,
      handle: async ({ body }) => issue(needs, body),
    }),
    route({
      name: 'access.who-am-i',
      method: 'GET',
      path: '/api/auth/whoami',
      permission: 'open',
      summary: 'What the credential of this very call is worth.',
      reply: wire.standingReply,
      handle: async ({ principal }) => wire.toStandingReply(whoAmI(mode, principal)),
    }),
    route({
      name: 'access.methods',
      method: 'GET',
      path: '/api/auth/methods',
      permission: 'open',
      summary: 'How a caller can prove who it is.',
      reply: wire.methodsReply,
      handle: async () => ({ mode, methods: [{ name: 'token', available: mode !== 'local' }] }),
    }),
  ]
}
