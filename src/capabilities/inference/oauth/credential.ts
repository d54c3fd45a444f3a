import { z } from 'zod'
import type { Credentials } from '../../../kernel/credentials/credentials.ts'
import type { Host } from '../../../kernel/host/host.ts'
import { TargetError } from '../targets/target.ts'
import { type LoginCredential, LoginError } from './login.ts'
import type { LoginProviders } from './providers.ts'

export interface LoginCredentials {
  /** The access token, refreshed if it ends within a minute. Undefined without a login. */
  readonly read: (providerId: string) => Promise<string | undefined>
  /** The stored access token, even if it has expired. */
  readonly peek: (providerId: string) => Promise<string | undefined>
  isConnected(providerId: string): Promise<boolean>
  save(providerId: string, credential: LoginCredential): Promise<void>
  /** Returns false if there was none. */
  delete(providerId: string): Promise<boolean>
}

interface CredentialNeeds {
  readonly host: Host
  readonly credentials: Pick<Credentials, 'internal'>
  readonly providers: LoginProviders
}

const refreshAheadMs = 60_000

const stored = z.object({
  access: z.string().min(1),
  refresh: z.string().nullable(),
  expires: z.number().nullable(),
})

export function createLoginCredentials(needs: CredentialNeeds): LoginCredentials {
  const { internal } = needs.credentials
  const inFlight = new Map<string, Promise<string>>()
  const refreshOnce = async (id: string, text: string): Promise<string> => {
    const started = inFlight.get(id) ?? refresh(needs, id, text).finally(() => inFlight.delete(id))
    inFlight.set(id, started)
    return await started
  }
  return {
    read: async (id) => {
      const text = await internal.read(toName(id))
      const credential = parse(text)
      if (text === undefined || !credential) return undefined
      return isFresh(needs.host, credential) ? credential.access : await refreshOnce(id, text)
    },
    peek: async (id) => parse(await internal.read(toName(id)))?.access,
    isConnected: async (id) => parse(await internal.read(toName(id))) !== undefined,
    save: async (id, credential) => {
      await internal.write(toName(id), JSON.stringify(credential))
    },
    delete: async (id) => await internal.delete(toName(id)),
  }
}

function toName(id: string): string {
  return ['SVC', 'OAUTH', Buffer.from(id).toString('hex').toUpperCase()].join('_')
}

function parse(text: string | undefined): LoginCredential | undefined {
  if (text === undefined) return undefined
  try {
    return stored.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function isFresh(host: Host, { expires }: LoginCredential): boolean {
  return expires === null || expires - host.now().getTime() > refreshAheadMs
}

/** Another daemon may refresh at the same time: the one that writes second reads the result. */
async function refresh(needs: CredentialNeeds, id: string, text: string): Promise<string> {
  const { credentials, providers } = needs
  const credential = parse(text)
  const provider = providers.find(id)
  if (!credential?.refresh || !provider?.refresh) throw expired(id)
  const fresh = await provider.refresh(credential.refresh).catch((error: unknown) => ({ error }))
  if ('error' in fresh) return await useOther(needs, { id, credential, error: fresh.error })
  const isWritten = await credentials.internal.write(toName(id), JSON.stringify(fresh), text)
  return isWritten ? fresh.access : await readWinner(needs, id, fresh)
}

interface FailedRefresh {
  readonly id: string
  readonly credential: LoginCredential
  readonly error: unknown
}

/** Another daemon may have used the refresh token, and this one may still be valid for seconds. */
async function useOther(
  { host, credentials }: CredentialNeeds,
  { id, credential, error }: FailedRefresh,
): Promise<string> {
  const other = parse(await credentials.internal.read(toName(id)))
  if (other && other.access !== credential.access && isFresh(host, other)) return other.access
  if (error instanceof LoginError && error.code === 'invalid_grant') throw expired(id)
  if ((credential.expires ?? 0) > host.now().getTime()) return credential.access
  throw new TargetError('The login could not be refreshed.', { kind: 'network' })
}

async function readWinner(
  { credentials }: CredentialNeeds,
  id: string,
  own: LoginCredential,
): Promise<string> {
  return parse(await credentials.internal.read(toName(id)))?.access ?? own.access
}

/** With a status, so that the account counts as expired. The credential is not deleted. */
function expired(id: string): TargetError {
  const providerMessage = `The login has expired. Run \`reverie inference login ${id}\`.`
  return new TargetError('The login has expired.', { kind: 'http', status: 401, providerMessage })
}
