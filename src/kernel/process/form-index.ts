import { anchorBytes } from './secret-forms.ts'

type OnMatch = (start: number, end: number) => void
/** Calls back for each occurrence of a form, also for overlapping ones. */
export type FindForms = (bytes: Uint8Array, onMatch: OnMatch) => void

const hashBits = 16
const hashFactor = 0x9e3779b1

/**
 * Finds many forms in one pass. The last four bytes select the forms that may begin there; a filter
 * by their hash rejects almost every position without a lookup.
 */
export function createFormIndex(forms: readonly Buffer[]): FindForms {
  const filter = new Uint8Array(2 ** hashBits)
  const byAnchor = new Map<number, Buffer[]>()
  for (const form of forms) {
    const anchor = form.readInt32BE(0)
    filter[hash(anchor)] = 1
    byAnchor.set(anchor, [...(byAnchor.get(anchor) ?? []), form])
  }
  return (bytes, onMatch) => {
    let anchor = 0
    for (let index = 0; index < bytes.length; index++) {
      anchor = (anchor << 8) | (bytes[index] ?? 0)
      if (filter[hash(anchor)] === 0) continue
      const start = index - anchorBytes + 1
      const matches = byAnchor.get(anchor)?.filter((form) => matchesAt(bytes, start, form)) ?? []
      for (const form of matches) onMatch(start, start + form.length)
    }
  }
}

function hash(anchor: number): number {
  return Math.imul(anchor, hashFactor) >>> (32 - hashBits)
}

function matchesAt(bytes: Uint8Array, start: number, form: Buffer): boolean {
  if (start < 0 || start + form.length > bytes.length) return false
  for (let index = anchorBytes; index < form.length; index++)
    if (bytes[start + index] !== form[index]) return false
  return true
}
