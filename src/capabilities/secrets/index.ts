import { homedir } from 'node:os'
import { join } from 'node:path'
import { secretsSettings } from './config.ts'
import { createCredentialStore } from './credential-store.ts'
import { createLocalStore } from './local/local-store.ts'
import { toNextKey } from './local/rotation.ts'
import type { SecretsNeeds } from './needs.ts'
import { secretsRoutes } from './routes.ts'
import { secretsHealth } from './status.ts'

export { secretsSettings } from './config.ts'

export const secretsModule = { name: 'secrets', settings: [secretsSettings] } as const

export function createSecrets(needs: SecretsNeeds) {
  const folder = join(needs.folder, '.secrets')
  const keyFile = () => needs.keyFile()?.replace(/^~(?=\/)/, homedir()) ?? join(folder, 'key')
  const store = createLocalStore({ ...needs, folder, keyFile })
  return {
    routes: secretsRoutes({ store, keyFile }),
    health: secretsHealth(store),
    credentialStore: createCredentialStore(store),
    /** For the texts of hooks; never a value. */
    names: { listNames: store.listNames },
    /** Files that no archive may contain. */
    listKeyFiles: () => [keyFile(), toNextKey(keyFile())],
    start: () =>
      store.recover().catch((err: unknown) => {
        needs.log.error({ err }, 'recovery of a key rotation failed')
      }),
  }
}
