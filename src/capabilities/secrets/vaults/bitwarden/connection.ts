import { Refusal } from '../../../../kernel/errors/refusal.ts'
import type { LocalStore } from '../../local/local-store.ts'
import { VaultFailure } from '../vault-client.ts'
import type { Bitwarden } from './bitwarden.ts'

export interface BitwardenNeeds {
  readonly bitwarden: Bitwarden
  readonly store: Pick<LocalStore, 'internal'>
}

/** Names of values of the service itself; no caller and no reference reaches them. */
const keys = {
  session: 'vault-a.session',
  folder: 'vault-a.folder',
  provider: 'vault-a.provider',
  deleted: 'vault-a.deleted',
} as const

export interface Connection {
  readonly session: string
  readonly folderId: string | undefined
}

async function findConnection({ store }: Pick<BitwardenNeeds, 'store'>) {
  const session = await store.internal.read(keys.session)
  if (session === undefined) return undefined
  const folderId = await store.internal.read(keys.folder)
  return { session, folderId: folderId || undefined } satisfies Connection
}

/** Refuses `vault_not_connected`. */
export async function readConnection(needs: Pick<BitwardenNeeds, 'store'>): Promise<Connection> {
  const connection = await findConnection(needs)
  if (connection) return connection
  const message = 'vault-a is not connected. Connect it with reverie secret vault-a connect.'
  throw new Refusal('invalid', 'vault_not_connected', message)
}

/** Whether writes go to vault-a. A store that cannot be read uses no vault. */
export async function isActive({ store }: Pick<BitwardenNeeds, 'store'>): Promise<boolean> {
  try {
    const provider = await store.internal.read(keys.provider)
    return provider === 'vault-a' && (await store.internal.read(keys.session)) !== undefined
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

export async function setProvider(needs: BitwardenNeeds, provider: 'local' | 'vault-a') {
  if (provider === 'vault-a') await readConnection(needs)
  await needs.store.internal.write(keys.provider, provider)
  return { success: true as const, provider }
}

interface ConnectRequest {
  readonly session: string
  readonly activate: boolean
  readonly folderId: string | undefined
}

/** Refuses `vault_session_invalid` for a session that does not unlock the vault. */
export async function connect(needs: BitwardenNeeds, request: ConnectRequest) {
  const { session, activate, folderId } = request
  if ((await readState(needs, session)) !== 'unlocked') throw invalidSession()
  await needs.bitwarden.sync(session)
  const { internal } = needs.store
  await internal.write(keys.session, session)
  if (folderId === undefined) await internal.delete(keys.folder)
  else await internal.write(keys.folder, folderId)
  if (activate) await internal.write(keys.provider, 'vault-a')
  return { success: true as const, ...(await readStatus(needs)) }
}

async function readState({ bitwarden }: BitwardenNeeds, session: string): Promise<string> {
  try {
    return (await bitwarden.readStatus(session)).status
  } catch (error) {
    if (error instanceof VaultFailure) return 'invalid'
    throw error
  }
}

export async function disconnect({ store: { internal } }: BitwardenNeeds) {
  const existed = await internal.delete(keys.session)
  for (const name of [keys.folder, keys.provider]) await internal.delete(name)
  return { success: true as const, disconnected: true as const, existed, activeProvider: false }
}

/** Always answers: a client that fails is an `error`. */
export async function readStatus(needs: BitwardenNeeds) {
  const connection = await findConnection(needs)
  const activeProvider = await isActive(needs)
  if (!connection) return { configured: false, connected: false, activeProvider }
  try {
    const { status, userEmail, serverUrl } = await needs.bitwarden.readStatus(connection.session)
    const connected = status === 'unlocked'
    return {
      configured: true,
      connected,
      activeProvider,
      ...(userEmail && { userEmail }),
      ...(serverUrl && { serverUrl }),
      ...(connected && { folders: await needs.bitwarden.listFolders(connection.session) }),
      ...(!connected && { error: `the vault is ${status}` }),
    }
  } catch (error) {
    if (!(error instanceof VaultFailure || error instanceof Refusal)) throw error
    return { configured: true, connected: false, activeProvider, error: error.message }
  }
}

/** Names that were deleted while vault-a was active; their local copies stay hidden. */
export async function readDeleted({ store }: Pick<BitwardenNeeds, 'store'>) {
  const text = await store.internal.read(keys.deleted)
  const names: unknown = text === undefined ? [] : JSON.parse(text)
  return new Set(Array.isArray(names) ? names.map(String) : [])
}

export async function markDeleted(
  needs: Pick<BitwardenNeeds, 'store'>,
  name: string,
  isDeleted: boolean,
): Promise<void> {
  const names = await readDeleted(needs)
  if (names.has(name) === isDeleted) return
  if (isDeleted) names.add(name)
  else names.delete(name)
  await needs.store.internal.write(keys.deleted, JSON.stringify([...names].toSorted()))
}

function invalidSession(): Refusal {
  const message = 'The session does not unlock vault-a. Unlock it and pass the new session.'
  return new Refusal('invalid', 'vault_session_invalid', message)
}
