import type { CredentialStore } from '../../kernel/credentials/credentials.ts'
import type { LocalStore } from './local/local-store.ts'
import { isSecretName } from './secret-name.ts'
import type { SecretProvider } from './vaults/provider.ts'

const reference = /^(?:\$secret:|local:\/\/)?(?<name>\w+)$/

/** Resolves `$secret:NAME`, `local://NAME` and plain names. Reserved names have no value. */
export function createCredentialStore(
  store: Pick<LocalStore, 'internal'>,
  provider: Pick<SecretProvider, 'resolve'>,
): CredentialStore {
  return {
    resolve: async (text) => {
      const name = reference.exec(text)?.groups?.['name'] ?? ''
      return isSecretName(name) ? await provider.resolve(text.replace('$secret:', '')) : undefined
    },
    internal: store.internal,
  }
}
