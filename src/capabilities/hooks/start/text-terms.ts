import { readTerms } from '../../recall/index.ts'

/** Bounds the memory of the cache to a few megabytes. */
const maxEntries = 2000
/** The beginning of a longer text is read. */
const maxTextLength = 2000

/** Terms of the texts that were read last: consecutive starts read the same memories. */
const cache = new Map<string, ReadonlySet<string>>()

/** The distinct terms of a text. */
export function termsOf(text: string): ReadonlySet<string> {
  const key = text.slice(0, maxTextLength)
  const cached = cache.get(key)
  if (cached) return cached
  const terms = new Set(readTerms(key))
  const [oldest] = cache.keys()
  if (cache.size >= maxEntries && oldest !== undefined) cache.delete(oldest)
  cache.set(key, terms)
  return terms
}
