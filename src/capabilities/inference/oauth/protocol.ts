import * as oauth from 'oauth4webapi'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Host } from '../../../kernel/host/host.ts'
import { createFetch } from '../../../kernel/outbound/create-fetch.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import { type LoginCredential, LoginError } from './login.ts'

/** A provider of the user's own settings. */
export interface OAuthSettings {
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly scopes: readonly string[]
  readonly issuer?: string | undefined
  readonly tokenEndpoint: string
  readonly deviceAuthorizationEndpoint?: string | undefined
  readonly authorizationEndpoint?: string | undefined
}

export interface ProtocolNeeds {
  readonly host: Host
  readonly outbound: Pick<Outbound, 'open'>
}

const maxBytes = 262_144
const timeoutMs = 30_000
const maxDescriptionChars = 200

export type Protocol = ReturnType<typeof createProtocol>

/** The protocol of one provider, for one operation. */
export function createProtocol(
  { host, outbound }: ProtocolNeeds,
  settings: OAuthSettings,
  signal: AbortSignal,
) {
  const { clientId, clientSecret, tokenEndpoint } = settings
  const server = toServer(settings)
  const client: oauth.Client = { client_id: clientId }
  const auth = clientSecret === undefined ? oauth.None() : oauth.ClientSecretPost(clientSecret)
  const parties = [server, client] as const
  const scope = settings.scopes.join(' ')
  const options = (endpoint: string) => ({
    [oauth.customFetch]: fetchFor(outbound, endpoint),
    [oauth.allowInsecureRequests]: isLoopback(endpoint),
    signal,
  })
  const token = options(tokenEndpoint)
  return {
    clientId,
    scope,
    startDevice: async () => {
      const { deviceAuthorizationEndpoint: endpoint = '' } = settings
      const response = oauth.deviceAuthorizationRequest(
        ...parties,
        auth,
        { scope },
        options(endpoint),
      )
      return await oauth.processDeviceAuthorizationResponse(...parties, await response)
    },
    redeemDevice: async (deviceCode: string) => {
      const response = oauth.deviceCodeGrantRequest(...parties, auth, deviceCode, token)
      return toCredential(host, await oauth.processDeviceCodeResponse(...parties, await response))
    },
    redeemCode: async ({ params, redirectUri, verifier, state }: CodeGrant) => {
      const checked = oauth.validateAuthResponse(...parties, params, state)
      const grant = [checked, redirectUri, verifier] as const
      const response = oauth.authorizationCodeGrantRequest(...parties, auth, ...grant, token)
      const result = await oauth.processAuthorizationCodeResponse(...parties, await response)
      return toCredential(host, result)
    },
    refresh: async (refreshToken: string) => {
      const response = oauth.refreshTokenGrantRequest(...parties, auth, refreshToken, token)
      const result = await oauth.processRefreshTokenResponse(...parties, await response)
      const credential = toCredential(host, result)
      // A provider that does not rotate the token sends none.
      return { ...credential, refresh: credential.refresh ?? refreshToken }
    },
  }
}

function toServer(settings: OAuthSettings): oauth.AuthorizationServer {
  const { issuer, tokenEndpoint, deviceAuthorizationEndpoint: device } = settings
  return {
    issuer: issuer ?? new URL(tokenEndpoint).origin,
    token_endpoint: tokenEndpoint,
    ...(device !== undefined && { device_authorization_endpoint: device }),
  }
}

interface CodeGrant {
  readonly params: URLSearchParams
  readonly redirectUri: string
  readonly verifier: string
  readonly state: string
}

function fetchFor(outbound: ProtocolNeeds['outbound'], endpoint: string): typeof fetch {
  const { origin } = new URL(endpoint)
  return createFetch({ outbound, origin, allowLoopback: true, maxBytes, timeoutMs })
}

/** Credentials are sent without encryption to this machine only. */
function isLoopback(endpoint: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(endpoint).hostname)
}

function toCredential(host: Host, response: oauth.TokenEndpointResponse): LoginCredential {
  const { access_token: access, refresh_token: refresh = null, expires_in: seconds } = response
  const expires = seconds === undefined ? null : host.now().getTime() + seconds * 1_000
  return { access, refresh, expires }
}

export async function createChallenge() {
  const verifier = oauth.generateRandomCodeVerifier()
  const challenge = await oauth.calculatePKCECodeChallenge(verifier)
  return { verifier, challenge, state: oauth.generateRandomState() }
}

const sentences: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'The login was denied.'],
  ['expired_token', 'The code has expired. Start the login again.'],
  ['invalid_grant', 'The provider no longer accepts the code or the login.'],
])

/** Repeats no text of the library: it may contain the request. */
export function toLoginError(error: unknown): Error {
  if (error instanceof LoginError || error instanceof Refusal) return error
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof Refusal) return cause
  if (
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.AuthorizationResponseError
  ) {
    const { error: code, error_description: description = '' } = error
    const detail = description.slice(0, maxDescriptionChars)
    const text = `The provider refused the login: ${code.slice(0, 64)}. ${detail}`.trim()
    return new LoginError(sentences.get(code) ?? text, code)
  }
  return new LoginError('The reply of the provider is invalid.')
}
