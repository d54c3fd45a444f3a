import { issueToken } from '../../kernel/auth/token.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { whoAmI } from './credentials.ts'
import type { AccessNeeds } from './needs.ts'
import * as wire from './schemas.ts'

export function accessRoutes(needs: AccessNeeds): readonly Route[] {
  const { host, mode, secret, defaultTokenTtlSeconds } = needs
  return [
    route({
      name: 'access.issue',
      method: 'POST',
      path: '/api/auth/token',
      permission: 'admin',
      limit: 'admin',
      summary:
        'Issue a token for a role, optionally with a scope and fewer permissions. A scope does not limit the permission `admin`.',
      body: wire.tokenBody,
      reply: wire.tokenReply,
      handle: async ({ body: { ttlSeconds = defaultTokenTtlSeconds, ...body } }) =>
        issueToken({ ...body, ttlSeconds }, { secret, now: host.now() }),
    }),
    route({
      name: 'access.who-am-i',
      method: 'GET',
      path: '/api/auth/whoami',
      permission: 'open',
      summary: 'Read the identity and permissions of the presented credential.',
      reply: wire.credentialReply,
      handle: async ({ principal }) => whoAmI(mode, principal),
    }),
    route({
      name: 'access.methods',
      method: 'GET',
      path: '/api/auth/methods',
      permission: 'open',
      summary: 'List authentication methods.',
      reply: wire.methodsReply,
      handle: async () => ({ mode, methods: [{ name: 'token', available: mode !== 'local' }] }),
    }),
  ]
}
