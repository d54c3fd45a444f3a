import { assertMayGrant } from '../../kernel/auth/permission.ts'
import { issueToken } from '../../kernel/auth/token.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { whoAmI } from './credentials.ts'
import type { AccessNeeds } from './needs.ts'
import * as wire from './schemas.ts'
import type { PasswordLogin } from './sign-in/password.ts'

type Needs = AccessNeeds & { readonly login: Pick<PasswordLogin, 'isConfigured'> }

export function accessRoutes(needs: Needs): readonly Route[] {
  const { host, login, mode, secret, defaultTokenTtlSeconds } = needs
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
      handle: async ({ body, principal }) => {
        const { ttlSeconds = defaultTokenTtlSeconds, ...request } = body
        assertMayGrant(principal, request)
        const key = principal.claims?.key
        return issueToken({ ...request, key, ttlSeconds }, { secret, now: host.now() })
      },
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
      handle: async () => ({
        mode,
        methods: [
          { name: 'token', available: mode !== 'local' },
          { name: 'api-key', available: mode !== 'local' },
          { name: 'password', available: mode !== 'local' && login.isConfigured },
        ],
      }),
    }),
  ]
}
