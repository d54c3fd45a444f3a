import { Refusal } from '../../../../kernel/errors/refusal.ts'
import type { LocalStore } from '../../local/local-store.ts'
import { isSecretName } from '../../secret-name.ts'
import { VaultFailure } from '../vault-client.ts'
import { listVaults, type OnePasswordNeeds, readToken } from './connection.ts'
import type { VaultField } from './onepassword.ts'

interface ImportNeeds extends OnePasswordNeeds {
  readonly store: Pick<LocalStore, 'internal' | 'has' | 'put'>
}

export interface ImportRequest {
  /** For this import alone; default: the token of the connection. */
  readonly token?: string | undefined
  /** Names or ids; default: all vaults. */
  readonly vaults?: readonly string[] | undefined
  readonly prefix: string
  readonly overwrite: boolean
}

interface FieldPlace {
  readonly vaultId: string
  readonly vaultName: string
  readonly itemId: string
  readonly itemTitle: string
}

interface Candidate extends FieldPlace {
  readonly fieldId: string
  readonly fieldLabel: string
  readonly secretName: string
  readonly baseSecretName: string
  readonly renamed: boolean
}

interface CollectedItems {
  readonly candidates: readonly (Candidate & { readonly value: string })[]
  readonly errors: readonly (FieldPlace & { readonly error: string })[]
  readonly items: number
}

const maxItems = 2_000
const maxNameLength = 128
const maxValueBytes = 65_536
const secretLabel = /pass|token|key|secret|credential|pin\b/i

/** Stores credential fields of vault-b as secrets. Refuses `vault_unknown`. */
export async function importItems(needs: ImportNeeds, request: ImportRequest) {
  const token = request.token ?? (await readToken(needs))
  const vaults = selectVaults(await listVaults(needs, token), request.vaults)
  const collection = await collect(needs, { token, vaults, prefix: request.prefix })
  const imported: Candidate[] = []
  const skipped: (Candidate & { reason: string })[] = []
  const errors: (FieldPlace & { error: string })[] = [...collection.errors]
  for (const { value, ...candidate } of collection.candidates) {
    const reason = await findReason(needs, request, { ...candidate, value })
    if (reason !== undefined) {
      skipped.push({ ...candidate, reason })
      continue
    }
    await needs.store.put(candidate.secretName, value)
    imported.push(candidate)
  }
  return {
    success: errors.length === 0,
    vaultsScanned: vaults.length,
    itemsScanned: collection.items,
    importedCount: imported.length,
    skippedCount: skipped.length,
    errorCount: errors.length,
    imported,
    skipped,
    errors,
  }
}

interface Vault {
  readonly id: string
  readonly name: string
}

function selectVaults(all: readonly Vault[], namesOrIds: readonly string[] | undefined) {
  if (!namesOrIds || namesOrIds.length === 0) return all
  return namesOrIds.map((one) => {
    const vault = all.find(({ id, name }) => id === one || name === one)
    if (vault) return vault
    throw new Refusal('invalid', 'vault_unknown', `vault-b has no vault '${one}'.`)
  })
}

interface Collection {
  readonly token: string
  readonly vaults: readonly Vault[]
  readonly prefix: string
}

/** Reads the items of the vaults, at most 2,000 of each. */
async function collect({ onePassword }: ImportNeeds, request: Collection): Promise<CollectedItems> {
  const { token, vaults, prefix } = request
  const names = new Set<string>()
  const items = []
  for (const { id: vaultId, name: vaultName } of vaults)
    for (const item of (await onePassword.listItems(token, vaultId)).slice(0, maxItems)) {
      const place = { vaultId, vaultName, itemId: item.id, itemTitle: item.title }
      items.push(await readItem(onePassword, token, { place, prefix, names }))
    }
  return {
    candidates: items.flatMap(({ candidates }) => candidates),
    errors: items.flatMap(({ errors }) => errors),
    items: items.length,
  }
}

/** An item that cannot be read is an error of its own. */
async function readItem(
  onePassword: OnePasswordNeeds['onePassword'],
  token: string,
  naming: Omit<Naming, 'field'>,
): Promise<Pick<CollectedItems, 'candidates' | 'errors'>> {
  const { place } = naming
  try {
    const fields = await onePassword.readFields(token, place.vaultId, place.itemId)
    const usable = fields.filter((field) => score(field) > 0)
    return { candidates: usable.map((field) => toCandidate({ ...naming, field })), errors: [] }
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error
    return { candidates: [], errors: [{ ...place, error: error.message }] }
  }
}

/** How probably a field is a credential; zero for one that is not. */
function score({ purpose, type, label, value }: VaultField): number {
  if (!value) return 0
  const isPassword = purpose?.toUpperCase() === 'PASSWORD'
  const isConcealed = type?.toUpperCase() === 'CONCEALED'
  return (isPassword ? 4 : 0) + (isConcealed ? 3 : 0) + (secretLabel.test(label ?? '') ? 2 : 0)
}

interface Naming {
  readonly place: FieldPlace
  readonly field: VaultField
  readonly prefix: string
  /** Names of this import. */
  readonly names: Set<string>
}

function toCandidate({ place, field, prefix, names }: Naming) {
  const fieldLabel = field.label || field.id
  const parts = [prefix, place.vaultName, place.itemTitle || place.itemId, fieldLabel]
  const base = parts
    .map(toNamePart)
    .join('_')
    .slice(0, maxNameLength - 4)
  const baseSecretName = /^\d/.test(base) ? `_${base}` : base
  let secretName = baseSecretName
  for (let number = 2; names.has(secretName); number++) secretName = `${baseSecretName}_${number}`
  names.add(secretName)
  return {
    ...place,
    fieldId: field.id,
    fieldLabel,
    secretName,
    baseSecretName,
    renamed: secretName !== baseSecretName,
    value: field.value ?? '',
  }
}

function toNamePart(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
}

async function findReason(
  { store }: ImportNeeds,
  { overwrite }: ImportRequest,
  { secretName, value }: Candidate & { readonly value: string },
): Promise<string | undefined> {
  if (!isSecretName(secretName)) return 'the name is reserved'
  if (Buffer.byteLength(value) > maxValueBytes || value.includes('\0'))
    return 'the value is too long'
  return !overwrite && (await store.has(secretName)) ? 'a secret of this name exists' : undefined
}
