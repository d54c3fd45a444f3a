import type { CredentialStore } from '../../kernel/credentials/credentials.ts'
import type { LocalStore } from './local/local-store.ts'
import { isSecretName } from './secret-name.ts'

const reference = /^(?:\$secret:|local:\/\/)?(?<name>\w+)$/

/** Resolves `$secret:NAME`, `local://NAME` and plain names. Reserved names have no value. */
export function createCredentialStore(store: LocalStore): CredentialStore {
  return {
    resolve: async (text) => {
      const name = reference.exec(text)?.groups?.['name'] ?? ''
      return isSecretName(name) ? await store.read(name) : undefined
    },
    internal: store.internal,
  }
}
