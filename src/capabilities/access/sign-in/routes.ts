import { Reply, type Route, route } from '../../../kernel/http/route.ts'
import type { Keyring } from '../keys/keyring.ts'
import * as wire from '../schemas.ts'
import { createHandoffs } from './handoffs.ts'
import type { PasswordLogin } from './password.ts'
import { assertStillValid, issueSession, readClaims } from './session.ts'
import { guarded, type SetCookieNeeds, smallBody, startSession } from './session-routes.ts'

type Needs = SetCookieNeeds & { readonly keyring: Keyring; readonly login: PasswordLogin }

export function signInRoutes(needs: Needs): readonly Route[] {
  const { host, keyring, login } = needs
  const handoffs = createHandoffs(host)
  return [
    route({
      name: 'access.login',
      method: 'POST',
      path: '/api/auth/login',
      permission: 'open',
      ...guarded,
      summary: 'Sign in with the password of the administrator.',
      body: wire.loginBody,
      reply: wire.loginReply,
      handle: async ({ body: { username, password } }) => {
        await login.check(username, password)
        const iat = Math.floor(host.now().getTime() / 1000)
        const claims = { role: 'admin', scope: {}, sub: username, iat } as const
        const { token, expiresAt } = issueSession(needs, claims)
        return { token, expiresAt, role: claims.role, username }
      },
    }),
    route({
      name: 'access.create-handoff',
      method: 'POST',
      path: '/api/auth/handoff',
      permission: 'authenticated',
      bodyLimit: smallBody,
      summary: 'Create a single-use code that signs a browser in with the same limits.',
      body: wire.emptyBody,
      reply: wire.handoffReply,
      handle: async ({ principal }) => handoffs.create(readClaims(principal)),
    }),
    route({
      name: 'access.redeem-handoff',
      method: 'POST',
      path: '/api/auth/handoff/redeem',
      permission: 'open',
      ...guarded,
      summary: 'Exchange a hand-off code for a session token, or for a cookie.',
      body: wire.redeemBody,
      reply: wire.sessionReply,
      handle: async ({ body, headers }) => {
        const readClaims = async () => {
          const claims = handoffs.redeem(body.code)
          await assertStillValid(needs, keyring, claims)
          return claims
        }
        return startSession(needs, { readClaims, headers, cookie: body.cookie })
      },
    }),
    ...(['sso', 'saml'] as const).flatMap(absentRoutes),
  ]
}

/** Paths of sign-in methods that this version does not have. */
function absentRoutes(name: 'sso' | 'saml'): readonly Route[] {
  const error = `Sign-in by ${name.toUpperCase()} is not built. Use a token, an API key or the password.`
  const common = {
    permission: 'open',
    bodyLimit: smallBody,
    summary: `Reply 501: sign-in by ${name.toUpperCase()} is not built.`,
    onInvalidBody: 'empty',
    otherReplies: { 501: wire.absentReply },
    handle: async () => new Reply(501, { error, code: 'not_implemented' } as never),
  } as const
  return (['GET', 'POST'] as const).flatMap((method) => {
    const operation = `access.${method === 'GET' ? 'read' : 'post'}-${name}`
    const path = `/api/auth/${name}`
    const params = wire.wildcardParams
    return [
      route({ ...common, name: operation, method, path }),
      route({ ...common, name: `${operation}-rest`, method, path: `${path}/*rest`, params }),
    ]
  })
}
