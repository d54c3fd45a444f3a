import { setImmediate } from 'node:timers/promises'
import { toKeyId } from '../../kernel/encryption/key.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { LocalStore } from './local/local-store.ts'
import { explainLock, type OpenedStore } from './local/open-store.ts'
import { openEntry, zones } from './local/secret-file.ts'

interface StoreStatus {
  readonly state: 'empty' | 'ready' | 'locked'
  /** Why the store is locked. */
  readonly reason: string | null
  readonly secrets: number
  /** Entries that do not open. */
  readonly unreadable: number
  readonly keyId: string | null
}

/** Entries that are opened before other work continues. */
const batchSize = 32

export async function readStatus(store: Pick<LocalStore, 'open' | 'listNames'>) {
  const opened = await store.open()
  const secrets = (await store.listNames()).length
  if ('reason' in opened) {
    const reason = explainLock(opened.reason)
    return { state: 'locked', reason, secrets, unreadable: 0, keyId: null } satisfies StoreStatus
  }
  const { content, key } = opened
  const isEmpty = content.secrets.size + content.internal.size === 0
  return {
    state: isEmpty ? 'empty' : 'ready',
    reason: null,
    secrets,
    unreadable: await countUnreadable(opened),
    keyId: key ? toKeyId(key) : null,
  } satisfies StoreStatus
}

async function countUnreadable(openedStore: OpenedStore): Promise<number> {
  if ('reason' in openedStore || openedStore.key === undefined) return 0
  let [total, unreadable] = [0, 0]
  for (const zone of zones)
    for (const [name, entry] of openedStore.content[zone]) {
      if (openEntry(openedStore.key, { zone, name }, entry) === undefined) unreadable++
      if (++total % batchSize === 0) await setImmediate()
    }
  return unreadable
}

export function secretsHealth(
  store: Pick<LocalStore, 'open' | 'listNames'>,
  isVaultActive: () => Promise<boolean>,
): HealthCheck {
  return {
    name: 'secrets',
    check: async () => {
      const { keyId: _, ...status } = await readStatus(store)
      const { state, reason, unreadable } = status
      const provider = (await isVaultActive()) ? 'vault-a' : 'local'
      return toHealth(
        [
          state === 'locked' && `the secrets are locked: ${reason}`,
          unreadable > 0 && `${unreadable} stored values cannot be decrypted`,
        ],
        { ...status, provider },
      )
    },
  }
}
