import { Refusal } from '../../../kernel/errors/refusal.ts'
import { toLocalName, toVaultReference } from '../exec/reference.ts'
import type { LocalStore } from '../local/local-store.ts'
import { type BitwardenNeeds, isActive, markDeleted, readDeleted } from './bitwarden/connection.ts'
import {
  listManagedNames,
  readAnyItem,
  readManaged,
  removeManaged,
  writeManaged,
} from './bitwarden/managed.ts'
import { type OnePasswordNeeds, readToken } from './onepassword/connection.ts'
import { VaultFailure } from './vault-client.ts'

export interface ProviderNeeds extends BitwardenNeeds, OnePasswordNeeds {
  readonly store: LocalStore
}

export type SecretProvider = ReturnType<typeof createProvider>

/** Secrets of the local store, and of vault-a while it is active. */
export function createProvider(needs: ProviderNeeds) {
  const { store } = needs
  const listNames = async () => {
    const local = await store.listNames()
    if (!(await isActive(needs))) return { names: local, provider: 'local' as const }
    const deleted = await readDeleted(needs)
    const managed = await explain(listManagedNames(needs))
    const visible = local.filter((name) => !deleted.has(name))
    return {
      names: [...new Set([...visible, ...managed])].toSorted(),
      provider: 'vault-a' as const,
    }
  }
  const put = async (name: string, value: string): Promise<void> => {
    if (!(await isActive(needs))) return void (await store.put(name, value))
    await explain(writeManaged(needs, { name, value }))
    await markDeleted(needs, name, false)
  }
  const remove = async (name: string): Promise<boolean> => {
    if (!(await isActive(needs))) return await store.delete(name)
    const isManaged = await explain(removeManaged(needs, name))
    const isLocal = await store.delete(name)
    if (isManaged || isLocal) await markDeleted(needs, name, true)
    return isManaged || isLocal
  }
  /** Names come from vault-a first; the local copy is the fallback. */
  const readByName = async (name: string): Promise<string | undefined> => {
    if (!(await isActive(needs))) return await store.read(name)
    const managed = await explain(readManaged(needs, name))
    if (managed !== undefined) return managed
    return (await readDeleted(needs)).has(name) ? undefined : await store.read(name)
  }
  return {
    listNames,
    put,
    delete: remove,
    /** Undefined for a reference without a value. */
    resolve: async (reference: string): Promise<string | undefined> => {
      const name = toLocalName(reference)
      if (name !== undefined)
        return reference.startsWith('local://') ? await store.read(name) : await readByName(name)
      const parsed = toVaultReference(reference)
      if (!parsed) return undefined
      if (parsed.vault === 'vault-b') return await explain(readFromVaultB(needs, parsed.reference))
      return parsed.kind === 'name'
        ? await explain(readManaged(needs, parsed.name, parsed.field))
        : await explain(readAnyItem(needs, parsed.id, parsed.field))
    },
  }
}

async function readFromVaultB(needs: OnePasswordNeeds, reference: string) {
  const value = await needs.onePassword.readReference(await readToken(needs), reference)
  return value === '' ? undefined : value
}

/** A failure of a vault refuses the call; its message has no credential. */
export async function explain<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error
    const message = `The vault did not answer: ${error.message}`
    throw new Refusal('unavailable', 'vault_failed', message)
  }
}
