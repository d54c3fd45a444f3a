import { homedir } from 'node:os'
import { join } from 'node:path'
import { toDomainCheck } from '../../kernel/capability/domain.ts'
import { createSecretAudit } from './audit.ts'
import { secretsSettings } from './config.ts'
import { createCredentialStore } from './credential-store.ts'
import { createExecQueue } from './exec/exec-queue.ts'
import { createLocalStore } from './local/local-store.ts'
import { toNextKey } from './local/rotation.ts'
import type { SecretsNeeds } from './needs.ts'
import { describeSecretsPlugin, guardRoutes, guardTools, pluginId } from './plugin.ts'
import { secretsRoutes } from './routes.ts'
import { secretsHealth } from './status.ts'
import { secretsTools } from './tools.ts'
import { createBitwarden } from './vaults/bitwarden/bitwarden.ts'
import { isActive } from './vaults/bitwarden/connection.ts'
import { createOnePassword } from './vaults/onepassword/onepassword.ts'
import { createProvider } from './vaults/provider.ts'
import { createVaultClient } from './vaults/vault-client.ts'

export { secretsSettings } from './config.ts'

/** The plugin whose user decides about the routes of this capability. */
export const secretsPluginId = pluginId

export const secretsModule = { name: 'secrets', settings: [secretsSettings] } as const

export function createSecrets(needs: SecretsNeeds) {
  const folder = join(needs.folder, '.secrets')
  const keyFile = () => needs.keyFile()?.replace(/^~(?=\/)/, homedir()) ?? join(folder, 'key')
  const store = createLocalStore({ ...needs, folder, keyFile })
  const audit = createSecretAudit(needs.audit)
  const vaults = {
    store,
    bitwarden: createBitwarden(createVaultClient(needs, 'bw')),
    onePassword: createOnePassword(createVaultClient(needs, 'op')),
  }
  const health = secretsHealth(store, () => isActive(vaults))
  const provider = createProvider(vaults)
  const queue = createExecQueue({ ...needs, store, audit, resolve: provider.resolve })
  const { gate } = needs
  const routes = secretsRoutes({ ...vaults, provider, queue, keyFile, audit, gate })
  return {
    routes: guardRoutes(routes, needs.gate),
    tools: guardTools(secretsTools, needs.gate),
    plugin: describeSecretsPlugin(routes, secretsTools, needs.version),
    credentialStore: createCredentialStore(store, provider),
    health,
    diagnostics: [toDomainCheck(health, 'reverie secret key status')],
    /** For the texts of hooks; never a value. */
    names: {
      listNames: async () => (needs.gate.isOpen(['secrets:list']) ? await store.listNames() : []),
    },
    /** Files that no archive may contain. */
    listKeyFiles: () => [keyFile(), toNextKey(keyFile())],
    start: () =>
      store.recover().catch((err: unknown) => {
        needs.log.error({ err }, 'recovery of a key rotation failed')
      }),
    stop: queue.stop,
  }
}
