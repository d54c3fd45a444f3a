import type { Caller } from '../../../kernel/auth/caller.ts'
import type { PluginGate } from '../../plugins/index.ts'
import type { SecretAudit } from '../audit.ts'
import { readConnection, setProvider } from './bitwarden/connection.ts'
import { type MigrateRequest, migrate } from './bitwarden/managed.ts'
import * as vaultB from './onepassword/connection.ts'
import { type ImportRequest, importItems } from './onepassword/import-items.ts'
import { explain, type ProviderNeeds } from './provider.ts'

export interface VaultOperationNeeds extends ProviderNeeds {
  readonly audit: SecretAudit
  readonly gate: Pick<PluginGate, 'assertGranted'>
}

export async function useProvider(
  needs: VaultOperationNeeds,
  caller: Caller,
  provider: 'local' | 'vault-a',
) {
  const reply = await setProvider(needs, provider)
  needs.audit('secret.provider_changed', caller, { data: { provider } })
  return reply
}

/** Refuses `vault_not_connected`. */
export async function listFolders(needs: VaultOperationNeeds) {
  const { session } = await readConnection(needs)
  const folders = await explain(needs.bitwarden.listFolders(session))
  return { folders, count: folders.length }
}

/** Deleting local copies needs the capability to delete, too. */
export async function migrateToVault(
  needs: VaultOperationNeeds,
  caller: Caller,
  request: MigrateRequest,
) {
  if (request.deleteLocal)
    needs.gate.assertGranted(['secrets:delete'], {
      caller,
      method: 'POST',
      path: '/api/secrets/vault-a/migrate',
    })
  const reply = await explain(migrate(needs, request))
  for (const { name, action, error } of request.dryRun ? [] : reply.results)
    if (action === 'migrated' && error === undefined)
      needs.audit('secret.stored', caller, { data: { name, provider: 'vault-a' } })
  return reply
}

/** Refuses `vault_not_connected`. */
export async function listVaults(needs: VaultOperationNeeds) {
  const vaults = await vaultB.listVaults(needs, await vaultB.readToken(needs))
  return { vaults, count: vaults.length }
}

export async function importFromVault(
  needs: VaultOperationNeeds,
  caller: Caller,
  request: ImportRequest,
) {
  const reply = await explain(importItems(needs, request))
  for (const { secretName } of reply.imported)
    needs.audit('secret.stored', caller, { data: { name: secretName, origin: 'vault-b' } })
  return reply
}
