import { createHmac } from 'node:crypto'

export type Role = 'admin' | 'operator' | 'agent' | 'readonly'

export interface Claims {
  readonly role: Role
  readonly scope?: { readonly project?: string; readonly agent?: string }
  readonly sub?: string
  /** Claims that no token of the daemon contains. */
  readonly extra?: object
  /** Seconds from now; a negative value is already expired. */
  readonly expiresIn?: number
}

/** Signs a token as the daemon does. */
export function signToken(
  { role, scope = {}, sub = 'tester', expiresIn = 600, extra }: Claims,
  secret: Buffer,
): string {
  const iat = Math.floor(Date.now() / 1000)
  const payload = encode(JSON.stringify({ sub, role, scope, iat, exp: iat + expiresIn, ...extra }))
  return `${payload}.${createHmac('sha256', secret).update(payload).digest('base64url')}`
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url')
}
