import type { Host } from '../../../kernel/host/host.ts'
import { type LoginContext, type LoginCredential, LoginError } from './login.ts'
import { type Protocol, toLoginError } from './protocol.ts'

const defaultIntervalSeconds = 5
/** What RFC 8628 adds for `slow_down`. */
const slowDownSeconds = 5

/** RFC 8628: the user enters a code at the provider while the service asks for the token. */
export async function loginByDevice(
  host: Host,
  protocol: Protocol,
  { emit, signal }: LoginContext,
): Promise<LoginCredential> {
  const started = await protocol.startDevice().catch(rethrow)
  const { interval = defaultIntervalSeconds, expires_in: lifetime } = started
  emit({
    type: 'device_code',
    userCode: started.user_code,
    verificationUri: started.verification_uri_complete ?? started.verification_uri,
    intervalSeconds: interval,
    expiresInSeconds: lifetime,
  })
  const endsAt = host.now().getTime() + lifetime * 1_000
  let waitSeconds = Math.max(1, interval)
  while (host.now().getTime() < endsAt) {
    await host.sleep(waitSeconds * 1_000, signal)
    signal.throwIfAborted()
    const result = await protocol.redeemDevice(started.device_code).catch(toPending)
    if (typeof result === 'object') return result
    if (result === 'slow_down') waitSeconds += slowDownSeconds
  }
  throw new LoginError('The code has expired. Start the login again.', 'expired_token')
}

function toPending(error: unknown): 'authorization_pending' | 'slow_down' {
  const failure = toLoginError(error)
  const code = failure instanceof LoginError ? failure.code : undefined
  if (code === 'authorization_pending' || code === 'slow_down') return code
  throw failure
}

function rethrow(error: unknown): never {
  throw toLoginError(error)
}
