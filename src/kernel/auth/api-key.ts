import { createHash } from 'node:crypto'
import {
  type Authenticate,
  type AuthMode,
  type Principal,
  type RequestCredentials,
  readBearer,
  readPrincipal,
  refusedPrincipal,
} from './authenticate.ts'
import { type Claims, unauthenticated } from './token.ts'

/** A stored key that is neither revoked nor expired. */
export interface LiveKey {
  readonly claims: Claims
  /** Aborts when the key is revoked. */
  readonly revoked: AbortSignal
}

export interface LiveKeys {
  /** Finds the key by its text, which only its digest identifies. */
  findByText(key: string): Promise<LiveKey | undefined>
  findById(id: string): Promise<LiveKey | undefined>
}

const shape = /^(?<prefix>svck_[a-z]{8})_[\w-]{43}$/

/** Returns the public part of a key; undefined for a text of another form. */
export function findKeyPrefix(text: string): string | undefined {
  return shape.exec(text)?.groups?.['prefix']
}

/** The form in which credentials are stored. */
export function toDigest(credential: string): Buffer {
  return createHash('sha256').update(credential).digest()
}

interface KeyNeeds {
  readonly mode: AuthMode
  readonly authenticate: (credentials: RequestCredentials) => Principal
  readonly keys: LiveKeys
}

/** Also accepts API keys, and refuses tokens that derive from a revoked one. */
export function createKeyAuthenticate({ mode, authenticate, keys }: KeyNeeds): Authenticate {
  if (mode === 'local') return authenticate
  return (credentials) => {
    const bearer = readBearer(credentials.authorization ?? '')
    if (findKeyPrefix(bearer) !== undefined)
      return keys.findByText(bearer).then((key) => toKeyPrincipal(credentials, key))
    const principal = authenticate(credentials)
    const id = principal.claims?.key
    if (id === undefined) return principal
    return keys.findById(id).then((key) => confirmPrincipal(credentials, principal, key))
  }
}

function toKeyPrincipal(credentials: RequestCredentials, key: LiveKey | undefined): Principal {
  if (!key) return refusedPrincipal(credentials.peer, revokedKey())
  return { ...readPrincipal(credentials, () => key.claims), revoked: key.revoked }
}

function confirmPrincipal(
  { peer }: RequestCredentials,
  principal: Principal,
  key: LiveKey | undefined,
): Principal {
  return key ? { ...principal, revoked: key.revoked } : refusedPrincipal(peer, revokedKey())
}

/** One message for all reasons, so that it confirms no key. */
function revokedKey() {
  return unauthenticated('the API key is unknown, revoked or expired')
}
