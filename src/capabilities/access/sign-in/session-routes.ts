import type { z } from 'zod'
import { type Principal, readPrincipal } from '../../../kernel/auth/authenticate.ts'
import type { RequestHeaders } from '../../../kernel/auth/browser.ts'
import type { Caller } from '../../../kernel/auth/caller.ts'
import { listPermissions } from '../../../kernel/auth/permission.ts'
import type { Claims } from '../../../kernel/auth/token.ts'
import { isPermitted } from '../../../kernel/http/admission.ts'
import { Reply, type Route, route } from '../../../kernel/http/route.ts'
import type { AccessNeeds } from '../needs.ts'
import { foreignPage } from '../refusals.ts'
import * as wire from '../schemas.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import { issueSession, readClaims } from './session.ts'

export type SetCookieNeeds = AccessNeeds & { readonly browserSessions: BrowserSessions }

export const smallBody = 16_384
/** Routes that check a credential: their calls count before it is read. */
export const guarded = { limit: 'login', limitsPeer: true, bodyLimit: smallBody } as const

/** The session of the caller: exchange, read and end. */
export function sessionRoutes(needs: SetCookieNeeds): readonly Route[] {
  const { browserSessions, rules } = needs
  return [
    route({
      name: 'access.create-session',
      method: 'POST',
      path: '/api/auth/session',
      permission: 'authenticated',
      ...guarded,
      summary: 'Exchange the presented credential for a session token, or for a cookie.',
      body: wire.sessionBody,
      reply: wire.sessionReply,
      handle: ({ body, headers, principal }) =>
        startSession(needs, {
          readClaims: async () => readClaims(principal),
          headers,
          cookie: body.cookie,
        }),
    }),
    route({
      name: 'access.session',
      method: 'GET',
      path: '/api/auth/session',
      permission: 'open',
      summary: 'Read who is signed in, and the operations that the caller may call.',
      reply: wire.signedInReply,
      handle: (call) => readSession(needs, call),
    }),
    route({
      name: 'access.end-session',
      method: 'DELETE',
      path: '/api/auth/session',
      permission: 'authenticated',
      summary: 'End the browser session of the caller and delete its cookie.',
      handle: async ({ principal }) => {
        if (principal.browserSession !== undefined)
          await browserSessions.end(principal.browserSession)
        return new Reply(204, undefined, { 'set-cookie': rules.toSetCookie('', 0) })
      },
    }),
  ]
}

interface SessionStart {
  readonly readClaims: () => Promise<Claims>
  readonly headers: RequestHeaders
  /** Whether the caller wants a cookie in place of a token. */
  readonly cookie: boolean
}

/** A page elsewhere could otherwise sign a browser in with a credential of its own. */
export async function startSession(
  needs: SetCookieNeeds,
  { cookie, headers, readClaims: read }: SessionStart,
) {
  const { browserSessions, rules } = needs
  if (!cookie) return issueSession(needs, await read())
  if (!rules.isSameOrigin(headers)) throw foreignPage()
  const claims = await read()
  const session = await browserSessions.create(claims)
  const { csrf, expiresAt, maxAgeSeconds } = session
  const body = { csrf, expiresAt, role: claims.role, sub: claims.sub }
  const setCookie = rules.toSetCookie(session.cookie, maxAgeSeconds)
  return new Reply(200, body, { 'set-cookie': setCookie })
}

interface Reader {
  readonly caller: Caller
  readonly headers: RequestHeaders
  readonly principal: Principal
}

/**
 * A page that was loaded again has its cookie and not the value that belongs to it. It gets the
 * value only with the fetch metadata of a page of this service.
 */
async function readSession(needs: SetCookieNeeds, reader: Reader) {
  const { headers } = reader
  const { rules, browserSessions } = needs
  const cookie = rules.readCookie(headers)
  const isOwnPage = headers['sec-fetch-site'] === 'same-origin' && rules.isSameOrigin(headers)
  const isBearer = headers['authorization'] !== undefined
  if (needs.mode === 'local' || isBearer || cookie === undefined || !isOwnPage)
    return toReply(needs, reader)
  const isTrusted = reader.principal.refusal === null && !reader.principal.browserSession
  const session = isTrusted ? undefined : await browserSessions.find(cookie)
  if (!session) return toReply(needs, reader)
  const principal = readPrincipal({ peer: reader.principal.subject }, () => session.claims)
  const reply = toReply(needs, { ...reader, principal })
  return { ...reply, csrf: rules.toCsrf(cookie) }
}

function toReply({ mode, operations }: AccessNeeds, { caller, principal }: Reader) {
  const { claims, refusal, role } = principal
  const end = claims?.exp
  return {
    signedIn: refusal === null,
    mode,
    name: refusal ? null : (claims?.name ?? claims?.sub ?? caller.name),
    role: refusal ? 'none' : role,
    agentId: claims?.scope.agent ?? caller.agentId,
    permissions: refusal ? [] : [...listPermissions(principal)],
    operations: operations
      .list()
      .filter((each) => isPermitted(each, principal))
      .map(({ name }) => name),
    expiresAt: end === undefined ? null : new Date(end * 1000).toISOString(),
  } satisfies z.input<typeof wire.signedInReply>
}
