import { hash } from 'node:crypto'
import { normalizeValue, toCanonicalName } from '../knowledge/index.ts'

/** `end`: the statement says that a value no longer holds. */
export type Family = 'claim' | 'end'

interface Identity {
  readonly family: Family
  readonly subject: string
  /** `<aspect>/<key>` */
  readonly slot: string
  readonly value: string
}

/** The same for the same meaning, wherever and whenever somebody says it. */
export function fingerprintOf({ family, subject, slot, value }: Identity): string {
  const parts = [family, toCanonicalName(subject), slot, toPlainValue(value)]
  return hash('sha256', JSON.stringify(parts))
}

/** Stands for a value where words must not be stored. */
export function hashValue(value: string): string {
  return hash('sha256', toPlainValue(value)).slice(0, 32)
}

const determiners: ReadonlySet<string> = new Set(
  'the a an my our its der die das den dem des ein eine einen einem einer'.split(' '),
)

/** Values that differ in case, spacing, a determiner or trailing punctuation are equal. */
export function toPlainValue(value: string): string {
  const words = normalizeValue(value.normalize('NFKC')).split(' ')
  const first = words.findIndex((word) => !determiners.has(word))
  return words.slice(Math.max(first, 0)).join(' ')
}
