import { isSecretName } from '../secret-name.ts'

const localReference = /^(?:local:\/\/)?(?<name>\w+)$/
/** No segment is an option of a client, and none leaves its place. */
const segment = String.raw`[^\s/\p{Cc}-][^/\p{Cc}]{0,255}`
const namedReference = new RegExp(
  `^(?:vault-a|bw)://name/(?<name>\\w+)(?:/(?<field>${segment}))?$`,
  'u',
)
const itemReference = new RegExp(
  `^(?:vault-a|bw)://item/(?<id>[A-Za-z0-9][\\w-]{0,127})/(?<field>${segment})$`,
  'u',
)
const vaultReference = new RegExp(
  `^(?:vault-b|op)://(?<path>${segment}/${segment}(?:/${segment}){1,2})$`,
  'u',
)

/** A reference to a value of a vault. */
type VaultReference =
  | {
      readonly vault: 'vault-a'
      readonly kind: 'name'
      readonly name: string
      readonly field: string
    }
  | {
      readonly vault: 'vault-a'
      readonly kind: 'item'
      readonly id: string
      readonly field: string
    }
  | { readonly vault: 'vault-b'; readonly reference: string }

/** Returns the name of a stored secret; undefined for any other reference. */
export function toLocalName(reference: string): string | undefined {
  const name = localReference.exec(reference)?.groups?.['name'] ?? ''
  return isSecretName(name) ? name : undefined
}

/** Undefined for a reference of another form. */
export function toVaultReference(reference: string): VaultReference | undefined {
  const { name, field = 'password' } = namedReference.exec(reference)?.groups ?? {}
  if (name !== undefined)
    return isSecretName(name) ? { vault: 'vault-a', kind: 'name', name, field } : undefined
  const item = itemReference.exec(reference)?.groups
  if (item)
    return { vault: 'vault-a', kind: 'item', id: item['id'] ?? '', field: item['field'] ?? '' }
  const path = vaultReference.exec(reference)?.groups?.['path']
  return path === undefined ? undefined : { vault: 'vault-b', reference: `op://${path}` }
}

/** Whether a reference has one of the forms that a job accepts. */
export function isReference(reference: string): boolean {
  return localReference.test(reference) || toVaultReference(reference) !== undefined
}
