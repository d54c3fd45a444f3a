import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { SecretAudit } from './audit.ts'
import type { LocalStore } from './local/local-store.ts'

interface StoreNeeds<Member extends keyof LocalStore> {
  readonly store: Pick<LocalStore, Member>
  readonly audit: SecretAudit
}

/** Output redaction does not search shorter values, because they match everywhere. */
const minRedactedLength = 4
const shortWarning = 'The value is too short to be redacted in the output of commands.'

export async function listSecrets({ store, audit }: StoreNeeds<'listNames'>, caller: Caller) {
  const secrets = [...(await store.listNames())]
  audit('secret.listed', caller, { data: { count: secrets.length } })
  return { secrets, provider: 'local' as const }
}

export async function putSecret(
  { store, audit }: StoreNeeds<'put'>,
  caller: Caller,
  { name, value }: { readonly name: string; readonly value: string },
) {
  await store.put(name, value)
  audit('secret.stored', caller, { data: { name } })
  const isShort = value.length < minRedactedLength
  return { success: true as const, name, ...(isShort && { warning: shortWarning }) }
}

/** Refuses `secret_not_found`. */
export async function deleteSecret(
  { store, audit }: StoreNeeds<'delete'>,
  caller: Caller,
  name: string,
) {
  if (!(await store.delete(name)))
    throw new Refusal('not_found', 'secret_not_found', `Secret '${name}' not found`)
  audit('secret.deleted', caller, { data: { name } })
  return { success: true as const, name }
}

export async function rotateKey({ store, audit }: StoreNeeds<'rotate'>, caller: Caller) {
  const { keyId } = await store.rotate()
  audit('secret.key_rotated', caller, { data: { keyId } })
  return { success: true as const, keyId }
}
