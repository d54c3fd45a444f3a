import { homedir } from 'node:os'
import { join } from 'node:path'
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

export { secretsSettings } from './config.ts'

/** The plugin whose user decides about the routes of this capability. */
export const secretsPluginId = pluginId

export const secretsModule = { name: 'secrets', settings: [secretsSettings] } as const

export function createSecrets(needs: SecretsNeeds) {
  const folder = join(needs.folder, '.secrets')
  const keyFile = () => needs.keyFile()?.replace(/^~(?=\/)/, homedir()) ?? join(folder, 'key')
  const store = createLocalStore({ ...needs, folder, keyFile })
  const audit = createSecretAudit(needs.audit)
  const queue = createExecQueue({ ...needs, store, audit })
  const routes = secretsRoutes({ store, queue, keyFile, audit })
  return {
    routes: guardRoutes(routes, needs.gate),
    tools: guardTools(secretsTools, needs.gate),
    plugin: describeSecretsPlugin(routes, secretsTools, needs.version),
    health: secretsHealth(store),
    credentialStore: createCredentialStore(store),
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
