import type { Host } from '../../kernel/host/host.ts'

/** Reads once and gives the same for a while, or until the key is another. */
export function held<Value>(
  host: Host,
  { holdsMs, key }: { readonly holdsMs: number; readonly key: () => string },
  read: () => Promise<Value>,
): () => Promise<Value> {
  let kept:
    | { readonly of: string; readonly until: number; readonly value: Promise<Value> }
    | undefined
  return () => {
    const now = host.now().getTime()
    if (kept?.of === key() && now < kept.until) return kept.value
    const value = read()
    kept = { of: key(), until: now + holdsMs, value }
    // Its caller gets the error; the next one reads again.
    value.catch(() => {
      kept = undefined
    })
    return value
  }
}
