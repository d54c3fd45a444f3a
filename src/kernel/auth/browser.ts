import { createHmac, timingSafeEqual } from 'node:crypto'
import { toDigest } from './api-key.ts'
import {
  type Authenticate,
  type AuthMode,
  type Principal,
  type RequestCredentials,
  readPrincipal,
  refusedPrincipal,
} from './authenticate.ts'
import { type Claims, unauthenticated } from './token.ts'

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** A session of a browser, found by its cookie. */
export interface LiveSession {
  /** The digest of the cookie. */
  readonly id: string
  readonly claims: Claims
  /** Aborts when the session or its API key ends. */
  readonly revoked: AbortSignal
}

export interface LiveSessions {
  find(cookie: string): Promise<LiveSession | undefined>
}

const csrfHeader = 'x-svc-csrf'

/** The address of the dashboard for browsers; its own address without a setting. */
export interface BrowserOptions {
  readonly secret: Buffer
  readonly publicUrl?: string | undefined
}

/**
 * A cookie counts only for a page of this service. All ports of a host share its cookies, so the
 * cookie alone authenticates nothing.
 */
export function createBrowserRules({ secret, publicUrl }: BrowserOptions) {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl)
  const isSecure = own?.protocol === 'https:'
  const name = isSecure ? '__Host-svc_session' : 'svc_session'
  const isOwnOrigin = (origin: unknown, host: unknown): boolean =>
    origin === own?.origin || (host !== own?.host && origin === `http://${host}`)
  const rules = {
    /** Whether the request may come from a page of this service. Absent headers are accepted. */
    isSameOrigin: (headers: RequestHeaders): boolean => {
      const { host, origin, 'sec-fetch-site': site = 'same-origin' } = headers
      return site === 'same-origin' && (origin === undefined || isOwnOrigin(origin, host))
    },
    /** The value that a page must send with the cookie. Only the secret derives it. */
    toCsrf: (cookie: string): string =>
      createHmac('sha256', secret).update(`csrf:${cookie}`).digest('base64url'),
    /** The cookie of a request; undefined for none and for several, of which one is foreign. */
    readCookie: (headers: RequestHeaders): string | undefined => {
      const pairs = String(headers['cookie'] ?? '').split(';')
      const values = pairs
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1))
      const [value = '', another] = new Set(values)
      return another === undefined && cookieShape.test(value) ? value : undefined
    },
    /** The cookie that counts: from our page, with the value that belongs to it. */
    findCookie: (headers: RequestHeaders): string | undefined => {
      const cookie = rules.readCookie(headers)
      if (cookie === undefined || !rules.isSameOrigin(headers)) return undefined
      return isSame(headers[csrfHeader], rules.toCsrf(cookie)) ? cookie : undefined
    },
    /** The header that sets the cookie, or deletes it with an age of 0. */
    toSetCookie: (cookie: string, maxAgeSeconds: number): string => {
      const attributes = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}`
      return `${name}=${cookie}; ${attributes}${isSecure ? '; Secure' : ''}`
    },
  }
  return rules
}

export type BrowserRules = ReturnType<typeof createBrowserRules>

/** 32 bytes as base64url. */
const cookieShape = /^[\w-]{43}$/

function isSame(actual: unknown, expected: string): boolean {
  return typeof actual === 'string' && timingSafeEqual(toDigest(actual), toDigest(expected))
}

interface BrowserNeeds {
  readonly mode: AuthMode
  readonly authenticate: Authenticate
  readonly rules: Pick<BrowserRules, 'findCookie'>
  readonly sessions: LiveSessions
}

/** Also accepts browser sessions. A bearer, valid or not, takes precedence over a cookie. */
export function createBrowserAuthenticate(needs: BrowserNeeds): Authenticate {
  const { mode, authenticate, rules, sessions } = needs
  if (mode === 'local') return authenticate
  return async (credentials) => {
    const { authorization, headers = {}, peer } = credentials
    const principal = await authenticate(credentials)
    if (authorization !== undefined || principal.refusal === null) return principal
    const cookie = rules.findCookie(headers)
    if (cookie === undefined) return principal
    const session = await sessions.find(cookie)
    return session ? toPrincipal(credentials, session) : refusedPrincipal(peer, endedSession())
  }
}

function toPrincipal(
  credentials: RequestCredentials,
  { id, claims, revoked }: LiveSession,
): Principal {
  return { ...readPrincipal(credentials, () => claims), revoked, browserSession: id }
}

function endedSession() {
  return unauthenticated('the session has ended')
}
