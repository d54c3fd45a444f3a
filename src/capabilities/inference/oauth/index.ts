import { Refusal } from '../../../kernel/errors/refusal.ts'
import { createLoginCredentials, type LoginCredentials } from './credential.ts'
import type { LoginContext, LoginEvent } from './login.ts'

export type { LoginEvent } from './login.ts'

import { createLoginProviders, type ProvidersNeeds } from './providers.ts'
import { createLoginSessions } from './sessions.ts'

export interface LoginsNeeds extends ProvidersNeeds {
  readonly credentials: ProvidersNeeds['credentials'] &
    Parameters<typeof createLoginCredentials>[0]['credentials']
}

interface ListedProvider {
  readonly id: string
  readonly name: string
  readonly usesCallbackServer: boolean
  readonly connected: boolean
  readonly error?: string
}

export interface Logins {
  /** The access token of a provider. */
  readonly read: LoginCredentials['read']
  readonly peek: LoginCredentials['peek']
  /** Whether a login exists for this id, in the settings or built in. */
  has(providerId: string): boolean
  list(): Promise<readonly ListedProvider[]>
  /** Refuses `not_found`, `too_many_logins` and `secrets_unavailable`. */
  login(providerId: string): Promise<OpenLogin>
  /** Refuses `invalid_login_response`. */
  complete(answer: Answer): void
  /** Returns false if there was no credential. */
  disconnect(providerId: string): Promise<boolean>
  stop(): void
}

interface OpenLogin {
  readonly id: string
  readonly events: AsyncIterable<LoginEvent>
}

type Answer = Parameters<ReturnType<typeof createLoginSessions>['complete']>[0]

export function createLogins(needs: LoginsNeeds): Logins {
  const providers = createLoginProviders(needs)
  const stored = createLoginCredentials({ ...needs, providers })
  const sessions = createLoginSessions(needs.host)
  const find = (id: string) => {
    const provider = providers.find(id)
    if (provider) return provider
    throw new Refusal('not_found', 'login_not_found', 'There is no login of this name.')
  }
  return {
    read: stored.read,
    peek: stored.peek,
    has: (id) => providers.find(id) !== undefined,
    list: async () =>
      await Promise.all(
        providers.list().map(async ({ id, name, usesCallbackServer }) => {
          const described = { id, name, usesCallbackServer }
          return { ...described, ...(await readConnection(stored, id)) }
        }),
      ),
    login: async (id) => {
      const provider = find(id)
      // Refuses at once without a secret store.
      await stored.isConnected(id)
      return sessions.open(id, async (context: LoginContext) => {
        const credential = await provider.login(context)
        context.signal.throwIfAborted()
        await stored.save(id, credential)
        context.emit({ type: 'connected', providerId: id })
      })
    },
    complete: sessions.complete,
    disconnect: async (id) => await stored.delete(find(id).id),
    stop: sessions.stop,
  }
}

async function readConnection(logins: LoginCredentials, id: string) {
  try {
    return { connected: await logins.isConnected(id) }
  } catch (error) {
    const message = error instanceof Refusal ? error.message : 'The secret store failed.'
    return { connected: false, error: message }
  }
}
