import { randomBytes } from 'node:crypto'
import { toDigest } from '../../../kernel/auth/api-key.ts'
import type { Claims } from '../../../kernel/auth/token.ts'
import type { Host } from '../../../kernel/host/host.ts'
import { handoffInvalid, tooManyHandoffs } from '../refusals.ts'

const lifetimeMs = 60_000
const maxPending = 32
const maxPendingPerCredential = 4
const codeBytes = 32

interface Handoff {
  readonly claims: Claims
  readonly credential: string
  readonly expiresAtMs: number
}

/** Single-use codes that carry a sign-in to a browser. They live in memory, by their digest. */
export function createHandoffs({ now }: Pick<Host, 'now'>) {
  const pending = new Map<string, Handoff>()
  const dropExpired = (time: number) => {
    for (const [digest, { expiresAtMs }] of pending) if (expiresAtMs <= time) pending.delete(digest)
  }
  return {
    create: (claims: Claims) => {
      const time = now().getTime()
      dropExpired(time)
      const credential = claims.key ?? `${claims.sub} ${claims.iat} ${claims.exp}`
      const own = [...pending.values()].filter((each) => each.credential === credential)
      if (pending.size >= maxPending || own.length >= maxPendingPerCredential)
        throw tooManyHandoffs()
      const code = randomBytes(codeBytes).toString('base64url')
      const expiresAtMs = time + lifetimeMs
      pending.set(toName(code), { claims, credential, expiresAtMs })
      return { code, expiresAt: new Date(expiresAtMs).toISOString() }
    },
    /** Returns the claims of the credential that created the code. Each code works once. */
    redeem: (code: string): Claims => {
      const name = toName(code)
      const handoff = pending.get(name)
      pending.delete(name)
      if (!handoff || handoff.expiresAtMs <= now().getTime()) throw handoffInvalid()
      return handoff.claims
    },
  }
}

function toName(code: string): string {
  return toDigest(code).toString('hex')
}
