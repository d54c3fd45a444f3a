import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { SecretAudit } from './audit.ts'
import type { LocalStore } from './local/local-store.ts'
import type { SecretProvider } from './vaults/provider.ts'

interface ProviderNeeds<Member extends keyof SecretProvider> {
  readonly provider: Pick<SecretProvider, Member>
  readonly audit: SecretAudit
}

interface StoreNeeds {
  readonly store: Pick<LocalStore, 'rotate'>
  readonly audit: SecretAudit
}

/** Output redaction does not search shorter values, because they match everywhere. */
const minRedactedLength = 4
const shortWarning = 'The value is too short to be redacted in the output of commands.'

export async function listSecrets(needs: ProviderNeeds<'listNames'>, caller: Caller) {
  const { names, provider } = await needs.provider.listNames()
  needs.audit('secret.listed', caller, { data: { count: names.length, provider } })
  return { secrets: [...names], provider }
}

export async function putSecret(
  { provider, audit }: ProviderNeeds<'put'>,
  caller: Caller,
  { name, value }: { readonly name: string; readonly value: string },
) {
  await provider.put(name, value)
  audit('secret.stored', caller, { data: { name } })
  const isShort = value.length < minRedactedLength
  return { success: true as const, name, ...(isShort && { warning: shortWarning }) }
}

/** Refuses `secret_not_found`. */
export async function deleteSecret(
  { provider, audit }: ProviderNeeds<'delete'>,
  caller: Caller,
  name: string,
) {
  if (!(await provider.delete(name)))
    throw new Refusal('not_found', 'secret_not_found', `Secret '${name}' not found`)
  audit('secret.deleted', caller, { data: { name } })
  return { success: true as const, name }
}

export async function rotateKey({ store, audit }: StoreNeeds, caller: Caller) {
  const { keyId } = await store.rotate()
  audit('secret.key_rotated', caller, { data: { keyId } })
  return { success: true as const, keyId }
}
