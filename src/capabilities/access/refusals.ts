import { invalidRequest, Refusal } from '../../kernel/errors/refusal.ts'

export function keyNotFound(): Refusal {
  return new Refusal('not_found', 'api_key_not_found', 'API key not found')
}

export function tooManyKeys(limit: number): Refusal {
  const message = `${limit} API keys are live. Revoke one first: reverie keys revoke ID.`
  return new Refusal('conflict', 'too_many_api_keys', message)
}

export function contradictingScope(field: string, value: string): Refusal {
  const message = `scope names '${value}', and ${field} does not contain it. Name the same in both.`
  return invalidRequest(message)
}

export function pastExpiry(expiresAt: string): Refusal {
  const message = `expiresAt ${expiresAt} is not in the future.`
  return invalidRequest(message)
}

export function sessionNotNeeded(): Refusal {
  const message = 'This caller is trusted without a token and needs no session.'
  return new Refusal('invalid', 'not_needed', message)
}

/** One message for all reasons, so that it confirms no user name. */
export function loginFailed(): Refusal {
  return new Refusal('unauthenticated', 'login_failed', 'The user name or the password is wrong.')
}

export function loginNotConfigured(): Refusal {
  const message =
    'Login by password is not configured. Set SVC_ADMIN_PASSWORD_HASH for the daemon and restart it.'
  return new Refusal('unavailable', 'login_not_configured', message)
}

export function loginBusy(): Refusal {
  return new Refusal('too_many', 'login_busy', 'Other logins are being checked. Retry.')
}

export function tooManyHandoffs(): Refusal {
  const message = 'Too many hand-off codes are pending. Redeem one, or wait until they expire.'
  return new Refusal('too_many', 'too_many_handoffs', message)
}

/** One message for all reasons, so that it confirms no code. */
export function handoffInvalid(): Refusal {
  const message = 'The hand-off code is unknown, used or expired. Create another one.'
  return new Refusal('unauthenticated', 'handoff_invalid', message)
}

/** A cookie is never exchanged for a credential that a script can read. */
export function bearerRequired(): Refusal {
  const message = 'A browser session cannot create another credential here. Present a token.'
  return new Refusal('forbidden', 'bearer_required', message)
}

export function foreignPage(): Refusal {
  const message = 'A cookie is set for pages of this service only. Sign in at its own address.'
  return new Refusal('forbidden', 'foreign_origin', message)
}
