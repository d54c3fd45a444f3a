import type { Credentials } from '../../../kernel/credentials/credentials.ts'
import { type LoginContext, LoginError, type LoginProvider } from './login.ts'
import { createOpenRouterLogin } from './openrouter.ts'
import type { OAuthSettings, Protocol, ProtocolNeeds } from './protocol.ts'

/** A provider of the user's own, as the settings define it. */
export interface LoginSettings {
  readonly name?: string | undefined
  readonly flow: 'device' | 'browser'
  readonly clientId: string
  readonly clientSecretRef?: string | undefined
  readonly scopes: readonly string[]
  readonly issuer?: string | undefined
  readonly tokenEndpoint: string
  readonly deviceAuthorizationEndpoint?: string | undefined
  readonly authorizationEndpoint?: string | undefined
  /** 0 is any free port. */
  readonly callbackPort: number
  readonly callbackPath: string
}

export interface ProvidersNeeds extends ProtocolNeeds {
  readonly credentials: Pick<Credentials, 'resolve'>
  /** `inference.oauth`, read for each use. */
  readonly oauth: () => ReadonlyMap<string, LoginSettings>
  /** Default: OpenRouter. */
  readonly builtIn?: readonly LoginProvider[]
}

export interface LoginProviders {
  list(): readonly LoginProvider[]
  find(id: string): LoginProvider | undefined
}

/** The settings replace a built-in login of the same id. */
export function createLoginProviders(needs: ProvidersNeeds): LoginProviders {
  const { builtIn = [createOpenRouterLogin(needs)], oauth } = needs
  const list = () => {
    const own = [...oauth()].map(([id, settings]) => toProvider(needs, id, settings))
    const isReplaced = ({ id }: LoginProvider) => oauth().has(id)
    return [...builtIn.filter((provider) => !isReplaced(provider)), ...own]
  }
  return { list, find: (id) => list().find((provider) => provider.id === id) }
}

function toProvider(needs: ProvidersNeeds, id: string, settings: LoginSettings): LoginProvider {
  const start = async (signal: AbortSignal) => {
    const { createProtocol } = await import('./protocol.ts')
    return createProtocol(needs, await toSettings(needs, settings), signal)
  }
  return {
    id,
    name: settings.name ?? id,
    usesCallbackServer: settings.flow === 'browser',
    login: async (context) => await login(needs, settings, { ...context, start }),
    refresh: async (token) => {
      const { toLoginError } = await import('./protocol.ts')
      // The connection has its own time limit.
      const protocol = await start(new AbortController().signal)
      return await protocol.refresh(token).catch((error: unknown) => {
        throw toLoginError(error)
      })
    },
  }
}

interface StartedLogin extends LoginContext {
  start(signal: AbortSignal): Promise<Protocol>
}

async function login({ host }: ProvidersNeeds, settings: LoginSettings, context: StartedLogin) {
  const protocol = await context.start(context.signal)
  if (settings.flow === 'device') {
    if (settings.deviceAuthorizationEndpoint === undefined)
      throw missing('deviceAuthorizationEndpoint')
    const { loginByDevice } = await import('./device.ts')
    return await loginByDevice(host, protocol, context)
  }
  const { authorizationEndpoint, callbackPort, callbackPath, issuer } = settings
  if (authorizationEndpoint === undefined) throw missing('authorizationEndpoint')
  const { loginByBrowser } = await import('./browser.ts')
  const hasIssuer = issuer !== undefined
  const options = { authorizationEndpoint, callbackPort, callbackPath, hasIssuer }
  return await loginByBrowser(protocol, options, context)
}

function missing(setting: string): LoginError {
  return new LoginError(`The settings of the provider lack ${setting}.`)
}

async function toSettings(
  { credentials }: ProvidersNeeds,
  settings: LoginSettings,
): Promise<OAuthSettings> {
  const { clientSecretRef } = settings
  const clientSecret = clientSecretRef && (await credentials.resolve(clientSecretRef))
  if (clientSecretRef !== undefined && !clientSecret)
    throw new LoginError('The client secret of the provider is not set.')
  return { ...settings, clientSecret: clientSecret || undefined }
}
