import { type Route, route } from '../../../kernel/http/route.ts'
import * as vaultA from './bitwarden/connection.ts'
import * as vaultB from './onepassword/connection.ts'
import {
  importFromVault,
  listFolders,
  listVaults,
  migrateToVault,
  useProvider,
  type VaultOperationNeeds,
} from './operations.ts'
import { explain } from './provider.ts'
import * as wire from './schemas.ts'

export function vaultRoutes(needs: VaultOperationNeeds): readonly Route[] {
  return [...vaultARoutes(needs), ...vaultBRoutes(needs)]
}

const shared = { permission: 'admin', limit: 'admin' } as const

function vaultARoutes(needs: VaultOperationNeeds): readonly Route[] {
  return [
    route({
      name: 'secrets.vault-a-status',
      method: 'GET',
      path: '/api/secrets/vault-a/status',
      permission: 'admin',
      summary: 'Report whether vault-a is connected and stores the secrets.',
      reply: wire.vaultAStatus,
      handle: () => vaultA.readStatus(needs),
    }),
    route({
      ...shared,
      name: 'secrets.vault-a-connect',
      method: 'POST',
      path: '/api/secrets/vault-a/connect',
      summary: 'Connect vault-a with the session of its unlocked client.',
      body: wire.connectABody,
      reply: wire.connectedAReply,
      handle: ({ body }) => explain(vaultA.connect(needs, body)),
    }),
    route({
      ...shared,
      name: 'secrets.vault-a-disconnect',
      method: 'DELETE',
      path: '/api/secrets/vault-a/connect',
      summary: 'Disconnect vault-a; secrets are stored locally from then on.',
      reply: wire.disconnectedReply,
      handle: () => vaultA.disconnect(needs),
    }),
    route({
      ...shared,
      name: 'secrets.vault-a-provider',
      method: 'POST',
      path: '/api/secrets/vault-a/provider',
      summary: 'Choose where secrets are stored.',
      body: wire.providerBody,
      reply: wire.providerReply,
      handle: ({ caller, body }) => useProvider(needs, caller, body.provider),
    }),
    route({
      name: 'secrets.vault-a-folders',
      method: 'GET',
      path: '/api/secrets/vault-a/folders',
      permission: 'admin',
      summary: 'List the folders of vault-a.',
      reply: wire.foldersReply,
      handle: () => listFolders(needs),
    }),
    route({
      ...shared,
      name: 'secrets.vault-a-migrate',
      method: 'POST',
      path: '/api/secrets/vault-a/migrate',
      summary: 'Copy local secrets to vault-a; reports only, unless `dryRun` is false.',
      body: wire.migrateBody,
      reply: wire.migrateReply,
      handle: ({ caller, body }) => migrateToVault(needs, caller, body),
    }),
  ]
}

function vaultBRoutes(needs: VaultOperationNeeds): readonly Route[] {
  return [
    route({
      name: 'secrets.vault-b-status',
      method: 'GET',
      path: '/api/secrets/vault-b/status',
      permission: 'admin',
      summary: 'Report whether vault-b is connected, and its vaults.',
      reply: wire.vaultBStatus,
      handle: () => vaultB.readStatus(needs),
    }),
    route({
      ...shared,
      name: 'secrets.vault-b-connect',
      method: 'POST',
      path: '/api/secrets/vault-b/connect',
      summary: 'Connect vault-b with the token of a service account.',
      body: wire.connectBBody,
      reply: wire.connectedBReply,
      handle: ({ body }) => vaultB.connect(needs, body.token),
    }),
    route({
      ...shared,
      name: 'secrets.vault-b-disconnect',
      method: 'DELETE',
      path: '/api/secrets/vault-b/connect',
      summary: 'Disconnect vault-b.',
      reply: wire.disconnectedReply,
      handle: () => vaultB.disconnect(needs),
    }),
    route({
      name: 'secrets.vault-b-vaults',
      method: 'GET',
      path: '/api/secrets/vault-b/vaults',
      permission: 'admin',
      summary: 'List the vaults that the service account may read.',
      reply: wire.vaultsReply,
      handle: () => listVaults(needs),
    }),
    route({
      ...shared,
      name: 'secrets.vault-b-import',
      method: 'POST',
      path: '/api/secrets/vault-b/import',
      summary: 'Store credential fields of vault-b as secrets.',
      body: wire.importBody,
      reply: wire.importReply,
      handle: ({ caller, body }) => importFromVault(needs, caller, body),
    }),
  ]
}
