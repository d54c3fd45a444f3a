import { timingSafeEqual } from 'node:crypto'
import {
  findKeyPrefix,
  type LiveKey,
  type LiveKeys,
  toDigest,
} from '../../../kernel/auth/api-key.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Host } from '../../../kernel/host/host.ts'
import type { Log } from '../../../kernel/log/log.ts'
import { listLiveKeys, updateLastUse } from '../store/api-keys.ts'
import { type ApiKey, toClaims } from './api-key.ts'

/** Another daemon on the same database notices a revocation after this time. */
const refreshMs = 5_000
const lastUseMs = 60_000

export interface Keyring extends LiveKeys {
  /** Call it after each change of a key. The next call reads the keys again. */
  invalidate(): void
  /** Resolves when the times of the last use are written. */
  stop(): Promise<void>
}

interface KeyringNeeds {
  readonly db: Db
  readonly host: Pick<Host, 'now'>
  readonly log: Pick<Log, 'warn'>
}

interface Loaded {
  readonly version: number
  readonly loadedAt: number
  readonly byPrefix: ReadonlyMap<string, ApiKey>
  readonly byId: ReadonlyMap<string, ApiKey>
}

/** The live keys in memory, so that a flood of invalid keys costs no query. */
export function createKeyring(needs: KeyringNeeds): Keyring {
  const { db, host } = needs
  const uses = createLastUses(needs)
  const revocations = new Map<string, AbortController>()
  let version = 0
  let loaded: Loaded | undefined
  let loading: Promise<Loaded> | undefined

  const load = async (): Promise<Loaded> => {
    const started = { version, loadedAt: host.now().getTime() }
    const keys = await listLiveKeys(db, host.now().toISOString())
    const byId = new Map(keys.map((key) => [key.id, key]))
    for (const [id, controller] of revocations)
      if (!byId.has(id)) {
        controller.abort()
        revocations.delete(id)
      }
    loaded = { ...started, byPrefix: new Map(keys.map((key) => [key.prefix, key])), byId }
    return loaded
  }
  const readKeys = async (): Promise<Loaded> => {
    const age = host.now().getTime() - (loaded?.loadedAt ?? 0)
    if (loaded?.version === version && age >= 0 && age < refreshMs) return loaded
    loading ??= load().finally(() => {
      loading = undefined
    })
    const read = await loading
    // A key changed while the keys were read.
    return read.version === version ? read : readKeys()
  }
  const toLive = (key: ApiKey | undefined): LiveKey | undefined => {
    const now = host.now()
    if (!key || (key.expiresAt !== null && Date.parse(key.expiresAt) <= now.getTime()))
      return undefined
    uses.record(key, now)
    const controller = revocations.get(key.id) ?? new AbortController()
    revocations.set(key.id, controller)
    return { claims: toClaims(key), revoked: controller.signal }
  }
  return {
    findByText: async (text) => {
      const { byPrefix } = await readKeys()
      const key = byPrefix.get(findKeyPrefix(text) ?? '')
      return key && isSame(text, key) ? toLive(key) : undefined
    },
    findById: async (id) => toLive((await readKeys()).byId.get(id)),
    invalidate: () => {
      version += 1
    },
    stop: uses.settle,
  }
}

function isSame(text: string, { digest }: ApiKey): boolean {
  return timingSafeEqual(toDigest(text), Buffer.from(digest, 'hex'))
}

/** Writes the time of the last use at most once a minute. No request waits for it. */
function createLastUses({ db, log }: KeyringNeeds) {
  const savedUseTimes = new Map<string, number>()
  const pending = new Set<Promise<void>>()
  return {
    record: ({ id, lastUsedAt }: ApiKey, now: Date): void => {
      const last = savedUseTimes.get(id) ?? (lastUsedAt === null ? 0 : Date.parse(lastUsedAt))
      if (Math.abs(now.getTime() - last) < lastUseMs) return
      savedUseTimes.set(id, now.getTime())
      const write = updateLastUse(db, id, now.toISOString())
        .catch((error: unknown) => log.warn({ err: error }, 'last use of an API key not written'))
        .finally(() => pending.delete(write))
      pending.add(write)
    },
    settle: async (): Promise<void> => {
      await Promise.all(pending)
    },
  }
}
