import { Refusal } from '../../kernel/errors/refusal.ts'
import type { LocalStore } from './local/local-store.ts'

/** Output redaction does not search shorter values, because they match everywhere. */
const minRedactedLength = 4
const shortWarning = 'The value is too short to be redacted in the output of commands.'

export async function putSecret(
  store: Pick<LocalStore, 'put'>,
  { name, value }: { readonly name: string; readonly value: string },
) {
  await store.put(name, value)
  const isShort = value.length < minRedactedLength
  return { success: true as const, name, ...(isShort && { warning: shortWarning }) }
}

/** Refuses `secret_not_found`. */
export async function deleteSecret(store: Pick<LocalStore, 'delete'>, name: string) {
  if (await store.delete(name)) return { success: true as const, name }
  throw new Refusal('not_found', 'secret_not_found', `Secret '${name}' not found`)
}
