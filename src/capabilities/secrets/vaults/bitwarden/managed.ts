import { Refusal } from '../../../../kernel/errors/refusal.ts'
import type { LocalStore } from '../../local/local-store.ts'
import { isSecretName } from '../../secret-name.ts'
import type { VaultItem } from './bitwarden.ts'
import { type BitwardenNeeds, type Connection, readConnection } from './connection.ts'

/** The managed item of a name; undefined without one. */
async function findItem(
  { bitwarden }: BitwardenNeeds,
  { session, folderId }: Connection,
  name: string,
): Promise<VaultItem | undefined> {
  const items = await bitwarden.listManaged(session, folderId, name)
  return items.find((item) => item.name === name)
}

export async function listManagedNames(needs: BitwardenNeeds): Promise<readonly string[]> {
  const { session, folderId } = await readConnection(needs)
  const items = await needs.bitwarden.listManaged(session, folderId)
  return items.map(({ name }) => name).filter(isSecretName)
}

/** Undefined if there is no such item or field. */
export async function readManaged(needs: BitwardenNeeds, name: string, field = 'password') {
  const item = await findItem(needs, await readConnection(needs), name)
  return item && readField(item, field)
}

export async function readAnyItem(needs: BitwardenNeeds, id: string, field: string) {
  const { session } = await readConnection(needs)
  return readField(await needs.bitwarden.readItem(session, id), field)
}

function readField({ login, fields }: VaultItem, name: string): string | undefined {
  const value = { password: login?.password, username: login?.username }[name]
  const custom = fields?.find((field) => field.name === name)?.value
  return (name === 'password' || name === 'username' ? value : custom) || undefined
}

/** Creates the item, or replaces its password. Returns its id. */
export async function writeManaged(
  needs: BitwardenNeeds,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<string> {
  const connection = await readConnection(needs)
  const { session, folderId } = connection
  const existing = await findItem(needs, connection, name)
  if (!existing) return await needs.bitwarden.create(session, { name, value, folderId })
  await needs.bitwarden.update(session, existing, value)
  return existing.id
}

/** Returns false if there was none. */
export async function removeManaged(needs: BitwardenNeeds, name: string): Promise<boolean> {
  const connection = await readConnection(needs)
  const existing = await findItem(needs, connection, name)
  if (existing) await needs.bitwarden.remove(connection.session, existing.id)
  return existing !== undefined
}

export interface MigrateRequest {
  readonly dryRun: boolean
  readonly overwrite: boolean
  readonly deleteLocal: boolean
}

interface Migrated {
  readonly name: string
  readonly action: 'migrated' | 'skipped' | 'deleted-local'
  readonly itemId?: string
  readonly error?: string
}

interface MigrateNeeds extends BitwardenNeeds {
  readonly store: Pick<LocalStore, 'internal' | 'listNames' | 'read' | 'delete'>
}

/** Copies local secrets to vault-a, one at a time. A local copy is deleted after it was migrated. */
export async function migrate(needs: MigrateNeeds, request: MigrateRequest) {
  const managed = new Set(await listManagedNames(needs))
  const results: Migrated[] = []
  for (const name of await needs.store.listNames()) {
    if (managed.has(name) && !request.overwrite) results.push({ name, action: 'skipped' })
    else results.push(...(await migrateOne(needs, name, request)))
  }
  const count = (action: Migrated['action']) =>
    results.filter((result) => result.action === action && result.error === undefined).length
  const errorCount = results.filter(({ error }) => error !== undefined).length
  const { dryRun, deleteLocal } = request
  return {
    success: errorCount === 0,
    dryRun,
    deleteLocal,
    migratedCount: count('migrated'),
    skippedCount: count('skipped'),
    deletedLocalCount: count('deleted-local'),
    errorCount,
    results,
  }
}

async function migrateOne(
  needs: MigrateNeeds,
  name: string,
  { dryRun, deleteLocal }: MigrateRequest,
): Promise<Migrated[]> {
  const deletion: Migrated[] = deleteLocal ? [{ name, action: 'deleted-local' }] : []
  if (dryRun) return [{ name, action: 'migrated' }, ...deletion]
  try {
    const value = await needs.store.read(name)
    if (value === undefined) return []
    const itemId = await writeManaged(needs, { name, value })
    if (deleteLocal) await needs.store.delete(name)
    return [{ name, action: 'migrated', itemId }, ...deletion]
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Error)) throw error
    return [{ name, action: 'skipped', error: error.message }]
  }
}
