import { onTestFinished } from 'vitest'
import { type OAuthUpstream, startOAuthProvider } from '../../../../test/support/oauth-provider.ts'
import type { CredentialStore } from '../../../kernel/credentials/credentials.ts'
import { createCredentials } from '../../../kernel/credentials/credentials.ts'
import { type Host, realHost } from '../../../kernel/host/host.ts'
import { outboundSettings } from '../../../kernel/outbound/config.ts'
import { createOutbound, type Outbound } from '../../../kernel/outbound/outbound.ts'
import { createLogins } from './index.ts'
import type { LoginEvent } from './login.ts'
import { createOpenRouterLogin } from './openrouter.ts'
import type { LoginSettings } from './providers.ts'

/** The name of a stored credential. */
export const nameOf = (id: string) =>
  ['SVC', 'OAUTH', Buffer.from(id).toString('hex').toUpperCase()].join('_')

/** A secret store in memory. */
function createMemoryStore(): CredentialStore & { readonly values: Map<string, string> } {
  const values = new Map<string, string>()
  return {
    values,
    resolve: async () => undefined,
    internal: {
      read: async (name) => values.get(name),
      write: async (name, value, expected) => {
        if (expected !== undefined && values.get(name) !== expected) return false
        values.set(name, value)
        return true
      },
      delete: async (name) => values.delete(name),
    },
  }
}

export function openOutbound(): Outbound {
  const config = outboundSettings.schema.parse({})
  const outbound = createOutbound({ host: realHost, config: () => config })
  onTestFinished(() => outbound.close())
  return outbound
}

export async function startProvider(): Promise<OAuthUpstream> {
  const upstream = await startOAuthProvider()
  onTestFinished(() => upstream.stop())
  return upstream
}

export const clientSecret = ['synthetic', 'client', 'secret'].join('-')

/** One device login, one browser login and OpenRouter, all at the fake provider. */
export function createHarness(
  upstream: OAuthUpstream,
  host: Host = realHost,
  changes: Partial<LoginSettings> = {},
) {
  const store = createMemoryStore()
  const credentials = createCredentials({
    variable: (name) => (name === 'CLIENT_SECRET' ? clientSecret : undefined),
  })
  credentials.stores.add(store)
  credentials.stores.seal()
  const outbound = openOutbound()
  const common = {
    clientId: 'reverie',
    scopes: ['model'],
    tokenEndpoint: `${upstream.url}/token`,
    callbackPort: 0,
    callbackPath: '/callback',
    ...changes,
  }
  const device = { flow: 'device', deviceAuthorizationEndpoint: `${upstream.url}/device` } as const
  const browser = { flow: 'browser', authorizationEndpoint: `${upstream.url}/authorize` } as const
  const oauth = new Map<string, LoginSettings>([
    ['company', { ...common, ...device }],
    ['portal', { ...common, ...browser, name: 'Portal' }],
  ])
  const openRouter = createOpenRouterLogin({ outbound, site: upstream.url, ports: [0] })
  const needs = { host, outbound, credentials, oauth: () => oauth, builtIn: [openRouter] }
  return { store, logins: createLogins(needs) }
}

/** The events of a login so far, and a reader for the next one of a type. */
export function followEvents(events: AsyncIterable<LoginEvent>) {
  const seen: LoginEvent[] = []
  const iterator = events[Symbol.asyncIterator]()
  const next = async <Type extends LoginEvent['type']>(type: Type) => {
    for (;;) {
      const { done, value } = await iterator.next()
      if (done) throw new Error(`The login ended without ${type}: ${JSON.stringify(seen)}`)
      seen.push(value)
      if (isOfType(value, type)) return value
    }
  }
  const rest = async () => {
    for (let item = await iterator.next(); !item.done; item = await iterator.next())
      seen.push(item.value)
    return seen
  }
  return { seen, next, rest, leave: async () => void (await iterator.return?.()) }
}

function isOfType<Type extends LoginEvent['type']>(
  event: LoginEvent,
  type: Type,
): event is Extract<LoginEvent, { type: Type }> {
  return event.type === type
}

/** Runs without the waits between polls. */
export function createFastHost(): Host & { readonly sleeps: number[] } {
  const sleeps: number[] = []
  return {
    ...realHost,
    sleeps,
    sleep: async (ms, signal) => {
      sleeps.push(ms)
      await realHost.sleep(1, signal)
    },
  }
}
