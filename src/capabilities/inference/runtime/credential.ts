import type { Credentials } from '../../../kernel/credentials/credentials.ts'
import type { Account, InferenceConfig } from '../config/config.ts'

/** Reads the access token of a login; undefined without one. */
export type ReadLogin = (providerId: string) => Promise<string | undefined>

export interface CredentialNeeds {
  readonly credentials: Pick<Credentials, 'resolve'>
  readonly readLogin?: ReadLogin | undefined
  /** Does not refresh the login, so that it waits for no provider. */
  readonly peekLogin?: ReadLogin | undefined
}

/** Logins that need no settings. */
const builtInLogins: ReadonlySet<string> = new Set(['openrouter'])

export function isLoginBacked(
  { oauth }: Pick<InferenceConfig, 'oauth'>,
  account: Account,
): boolean {
  const { kind, providerFamily, credentialRef } = account
  const hasLogin = oauth.has(providerFamily) || builtInLogins.has(providerFamily)
  return hasLogin && (kind === 'subscription_session' || credentialRef === undefined)
}

/** The owner's settings may name variables of the daemon. */
export async function readCredential(
  { credentials, readLogin }: CredentialNeeds,
  config: Pick<InferenceConfig, 'oauth'>,
  account: Account,
): Promise<string | undefined> {
  if (isLoginBacked(config, account)) return await readLogin?.(account.providerFamily)
  const { credentialRef } = account
  return credentialRef === undefined ? undefined : await credentials.resolve(credentialRef)
}
