import { createExtensionPoint, type ExtensionPoint } from '../capability/extension-point.ts'
import { Refusal } from '../errors/refusal.ts'

export interface Credentials {
  /** Returns undefined if no variable and no store has the value. Throws the error of a store. */
  resolve(reference: string, options?: ResolveOptions): Promise<string | undefined>
  /** Values of the service itself. Refuses `secrets_unavailable` without a store. */
  readonly internal: InternalValues
  readonly stores: ExtensionPoint<CredentialStore>
}

interface ResolveOptions {
  /** Pass false for a reference from an API caller. */
  readonly environment?: boolean
}

interface InternalValues {
  read(name: string): Promise<string | undefined>
  /** Returns false if `expected` is given and differs from the stored value. */
  write(name: string, value: string, expected?: string): Promise<boolean>
  /** Returns false if there was no value. */
  delete(name: string): Promise<boolean>
}

export interface CredentialStore {
  /** Accepts `$secret:NAME`, a plain name, or a vault scheme; returns undefined for any other. */
  resolve(reference: string): Promise<string | undefined>
  readonly internal: InternalValues
}

export interface CredentialsNeeds {
  /** Reads an environment variable. */
  variable(name: string): string | undefined
}

const variablePrefix = '$env:'

export function createCredentials({ variable }: CredentialsNeeds): Credentials {
  const stores = createExtensionPoint<CredentialStore>('credentials.stores')
  return {
    stores,
    resolve: async (reference, { environment = true } = {}) => {
      const isVariable = reference.startsWith(variablePrefix)
      const name = isVariable ? reference.slice(variablePrefix.length) : reference
      const value = environment ? variable(name) : undefined
      return value === undefined && !isVariable ? await readStores(stores.list(), name) : value
    },
    internal: {
      read: async (name) => await firstStore(stores).read(name),
      write: async (name, value, expected) => await firstStore(stores).write(name, value, expected),
      delete: async (name) => await firstStore(stores).delete(name),
    },
  }
}

async function readStores(
  stores: readonly CredentialStore[],
  reference: string,
): Promise<string | undefined> {
  for (const store of stores) {
    const value = await store.resolve(reference)
    if (value !== undefined) return value
  }
  return undefined
}

function firstStore(stores: Pick<ExtensionPoint<CredentialStore>, 'list'>): InternalValues {
  const [first] = stores.list()
  if (first) return first.internal
  const message = 'There is no secret store. Name an environment variable with $env:NAME.'
  throw new Refusal('unavailable', 'secrets_unavailable', message)
}
