import type { Host } from '../../kernel/host/host.ts'

/** Reads on first use; a failed read is retried by the next call. */
export function memoize<Value>(read: () => Promise<Value>): () => Promise<Value> {
  const cache: { value?: Promise<Value> } = {}
  return () => {
    cache.value ??= read().catch((error: unknown) => {
      delete cache.value
      throw error
    })
    return cache.value
  }
}

/** Caches a value for `ttlMs` or until the key changes. */
export function cacheFor<Value>(
  host: Host,
  { ttlMs, key }: { readonly ttlMs: number; readonly key: () => string },
  read: () => Promise<Value>,
): () => Promise<Value> {
  let cached:
    | { readonly key: string; readonly expiresAt: number; readonly value: Promise<Value> }
    | undefined
  return () => {
    const now = host.now().getTime()
    if (cached?.key === key() && now < cached.expiresAt) return cached.value
    const value = read()
    cached = { key: key(), expiresAt: now + ttlMs, value }
    // The caller gets the error; the next call reads again.
    value.catch(() => {
      cached = undefined
    })
    return value
  }
}
