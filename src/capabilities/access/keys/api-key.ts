import { randomBytes, randomInt } from 'node:crypto'
import type { Role, Scope } from '../../../kernel/auth/caller.ts'
import type { Claims } from '../../../kernel/auth/token.ts'

/** A stored key. Its text is never stored. */
export interface ApiKey {
  readonly id: string
  /** The public part, which begins the text of the key. */
  readonly prefix: string
  /** SHA-256 of the whole text, as hexadecimal digits. */
  readonly digest: string
  readonly name: string
  readonly role: Role
  readonly scope: Scope
  /** Null for all permissions of the role. */
  readonly permissions: readonly string[] | null
  /** Recorded only. */
  readonly connector: string | null
  /** Recorded only. */
  readonly harness: string | null
  /** The only agent of the key, as in the scope. */
  readonly agentId: string | null
  /** The only projects of the key. Null for all projects that the scope permits. */
  readonly allowedProjects: readonly string[] | null
  readonly createdBy: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
  readonly expiresAt: string | null
}

/** More keys than this are a fault of a program that creates them. */
export const maxLiveKeys = 1_000

const prefixLetters = 8
const letters = 'abcdefghijklmnopqrstuvwxyz'
const secretBytes = 32

/** Returns a new key: `svck_<8 letters>_<32 bytes as base64url>`. */
export function generateKey(): { readonly prefix: string; readonly text: string } {
  const public8 = Array.from({ length: prefixLetters }, () => letters[randomInt(letters.length)])
  const prefix = `svck_${public8.join('')}`
  return { prefix, text: `${prefix}_${randomBytes(secretBytes).toString('base64url')}` }
}

/** The claims of a caller with the key. The prefix names the author of its changes. */
export function toClaims(key: ApiKey): Claims {
  const { id, prefix, name, role, scope, permissions, allowedProjects } = key
  return {
    sub: `key:${prefix.slice('svck_'.length)}`,
    name,
    role,
    scope,
    ...(permissions && { permissions: [...permissions] }),
    ...(allowedProjects && { projects: [...allowedProjects] }),
    key: id,
    iat: toSeconds(key.createdAt),
    ...(key.expiresAt !== null && { exp: toSeconds(key.expiresAt) }),
  }
}

function toSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000)
}
