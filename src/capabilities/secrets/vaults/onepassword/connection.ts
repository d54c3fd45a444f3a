import { Refusal } from '../../../../kernel/errors/refusal.ts'
import type { LocalStore } from '../../local/local-store.ts'
import { VaultFailure } from '../vault-client.ts'
import type { OnePassword } from './onepassword.ts'

export interface OnePasswordNeeds {
  readonly onePassword: OnePassword
  readonly store: Pick<LocalStore, 'internal'>
}

const tokenKey = 'vault-b.token'

/** Refuses `vault_not_connected`. */
export async function readToken({ store }: Pick<OnePasswordNeeds, 'store'>): Promise<string> {
  const token = await store.internal.read(tokenKey)
  if (token !== undefined) return token
  const message = 'vault-b is not connected. Connect it with reverie secret vault-b connect.'
  throw new Refusal('invalid', 'vault_not_connected', message)
}

/** Refuses `vault_token_invalid`. */
export async function listVaults({ onePassword }: OnePasswordNeeds, token: string) {
  try {
    return await onePassword.listVaults(token)
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error
    const message = `vault-b does not accept the token: ${error.message}`
    throw new Refusal('invalid', 'vault_token_invalid', message)
  }
}

export async function connect(needs: OnePasswordNeeds, token: string) {
  const vaults = await listVaults(needs, token)
  await needs.store.internal.write(tokenKey, token)
  return { success: true as const, connected: true as const, vaultCount: vaults.length, vaults }
}

export async function disconnect({ store }: OnePasswordNeeds) {
  const existed = await store.internal.delete(tokenKey)
  return { success: true as const, disconnected: true as const, existed }
}

/** Always answers: a client that fails is an `error`. */
export async function readStatus(needs: OnePasswordNeeds) {
  const token = await needs.store.internal.read(tokenKey)
  if (token === undefined) return { configured: false, connected: false, vaults: [] }
  try {
    const vaults = await listVaults(needs, token)
    return { configured: true, connected: true, vaultCount: vaults.length, vaults }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { configured: true, connected: false, vaults: [], error: error.message }
  }
}
