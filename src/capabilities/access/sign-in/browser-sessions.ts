import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type LiveKeys, toDigest } from '../../../kernel/auth/api-key.ts'
import type { BrowserRules, LiveSession, LiveSessions } from '../../../kernel/auth/browser.ts'
import type { Claims } from '../../../kernel/auth/token.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import type { AccessNeeds } from '../needs.ts'
import {
  type BrowserSession,
  countSessions,
  deleteEndedSessions,
  deleteSession,
  findSession,
  insertSession,
  listOldest,
  touchSession,
} from '../store/browser-sessions.ts'

const maxLifetimeMs = 12 * 3_600_000
const maxIdleMs = 2 * 3_600_000
const lastSeenMs = 60_000
const maxPerSubject = 16
const maxSessions = 1_000
const cookieBytes = 32

type Needs = Pick<AccessNeeds, 'db' | 'host' | 'log' | 'rules'> & {
  readonly keyring: Pick<LiveKeys, 'findById'>
}

export interface BrowserSessions extends LiveSessions {
  create(claims: Claims): Promise<CreatedSession>
  end(id: string): Promise<void>
  sweep(): Promise<void>
  /** Resolves when the times of the last calls are written. */
  stop(): Promise<void>
}

interface CreatedSession {
  readonly cookie: string
  readonly csrf: string
  readonly expiresAt: string
  readonly maxAgeSeconds: number
}

/** Sessions of browsers. The cookie and its value are stored by their digests. */
export function createBrowserSessions(needs: Needs): BrowserSessions {
  const { db, host, keyring } = needs
  const ends = new Map<string, AbortController>()
  const touches = createTouches(needs)
  const end = async (idHash: string): Promise<void> => {
    await deleteSession(db, idHash)
    ends.get(idHash)?.abort()
    ends.delete(idHash)
  }
  const endOf = (idHash: string): AbortSignal => {
    const controller = ends.get(idHash) ?? new AbortController()
    ends.set(idHash, controller)
    return controller.signal
  }
  return {
    create: (claims) => createSession(needs, claims, end),
    find: async (cookie): Promise<LiveSession | undefined> => {
      const session = await findSession(db, toHash(cookie))
      if (!session || !matchesCookie(needs.rules, session, cookie)) return undefined
      const { apiKeyId, claims, idHash } = session
      const key = apiKeyId === null ? undefined : await keyring.findById(apiKeyId)
      if (isExpired(session, host.now()) || (apiKeyId !== null && !key)) {
        await end(idHash)
        return undefined
      }
      touches.record(session)
      const own = endOf(idHash)
      return { id: idHash, claims, revoked: key ? AbortSignal.any([own, key.revoked]) : own }
    },
    end,
    sweep: async () => {
      const now = host.now()
      const idleSince = new Date(now.getTime() - maxIdleMs).toISOString()
      await deleteEndedSessions(db, { now: now.toISOString(), idleSince })
      for (const idHash of [...ends.keys()]) if (!(await findSession(db, idHash))) await end(idHash)
    },
    stop: touches.settle,
  }
}

/** Ends no later than the credential. Beyond the limits the oldest sessions end. */
async function createSession(
  { db, host, rules }: Needs,
  claims: Claims,
  end: (idHash: string) => Promise<void>,
): Promise<CreatedSession> {
  const now = host.now().getTime()
  const credentialEnd = claims.exp === undefined ? Number.POSITIVE_INFINITY : claims.exp * 1000
  const endsAtMs = Math.min(now + maxLifetimeMs, credentialEnd)
  const expiresAt = new Date(endsAtMs).toISOString()
  const cookie = randomBytes(cookieBytes).toString('base64url')
  const csrf = rules.toCsrf(cookie)
  const createdAt = new Date(now).toISOString()
  const subject = claims.key ?? claims.sub
  const excess = await transaction(db, async (own) => {
    await insertSession(own, {
      idHash: toHash(cookie),
      csrfHash: toHash(csrf),
      subject,
      claims: { ...claims, exp: Math.floor(endsAtMs / 1000) },
      apiKeyId: claims.key ?? null,
      createdAt,
      lastSeenAt: createdAt,
      expiresAt,
    })
    const ofSubject = (await countSessions(own, subject)) - maxPerSubject
    const ofAll = (await countSessions(own)) - maxSessions
    return [
      ...(ofSubject > 0 ? await listOldest(own, { subject, limit: ofSubject }) : []),
      ...(ofAll > 0 ? await listOldest(own, { limit: ofAll }) : []),
    ]
  })
  for (const idHash of excess) await end(idHash)
  return { cookie, csrf, expiresAt, maxAgeSeconds: Math.floor((endsAtMs - now) / 1000) }
}

function matchesCookie(
  rules: Pick<BrowserRules, 'toCsrf'>,
  session: BrowserSession,
  cookie: string,
) {
  const digest = toDigest(rules.toCsrf(cookie))
  return timingSafeEqual(digest, Buffer.from(session.csrfHash, 'hex'))
}

function isExpired({ expiresAt, lastSeenAt }: BrowserSession, now: Date): boolean {
  const time = now.getTime()
  return Date.parse(expiresAt) <= time || Date.parse(lastSeenAt) + maxIdleMs <= time
}

function toHash(credential: string): string {
  return toDigest(credential).toString('hex')
}

/** Writes the time of the last call at most once a minute. No request waits for it. */
function createTouches({ db, host, log }: Needs) {
  const pending = new Map<string, Promise<void>>()
  return {
    record: ({ idHash, lastSeenAt }: BrowserSession): void => {
      const now = host.now()
      const isRecent = Math.abs(now.getTime() - Date.parse(lastSeenAt)) < lastSeenMs
      if (isRecent || pending.has(idHash)) return
      const write = touchSession(db, idHash, now.toISOString())
        .catch((error: unknown) => log.warn({ err: error }, 'last call of a session not written'))
        .finally(() => pending.delete(idHash))
      pending.set(idHash, write)
    },
    settle: async (): Promise<void> => {
      await Promise.all(pending.values())
    },
  }
}
