import { Refusal } from '../errors/refusal.ts'
import type { HygieneMode } from './config.ts'
import { dropPrivate, redactSecrets } from './redact.ts'

export interface Cleaned<Value> {
  readonly value: Value
  /** How many spans were taken out of it. */
  readonly redactions: number
}

interface Finding {
  redactions: number
  readonly kinds: Set<string>
}

/** Deeper than anything that is meant; what is deeper cannot be walked safely. */
const deepest = 200

/** What may be kept of what somebody wants kept: all texts and names in it, by any depth. Refuses `credential_blocked`. */
export function clean<Value>(written: Value, mode: HygieneMode): Cleaned<Value> {
  const found: Finding = { redactions: 0, kinds: new Set() }
  const value = walk(written, { mode, found, depth: 0 }) as Value
  if (mode === 'block' && found.kinds.size > 0)
    throw new Refusal('invalid', 'credential_blocked', 'content holds a credential', {
      kinds: [...found.kinds],
    })
  return { value, redactions: found.redactions }
}

interface Walk {
  readonly mode: HygieneMode
  readonly found: Finding
  readonly depth: number
}

function walk(value: unknown, at: Walk): unknown {
  if (typeof value === 'string') return cleanText(value, at)
  if (typeof value !== 'object' || value === null) return value
  if (at.depth >= deepest)
    throw new Refusal('invalid', 'invalid_request', `What is sent is nested over ${deepest} deep.`)
  const within = { ...at, depth: at.depth + 1 }
  if (Array.isArray(value)) return value.map((one) => walk(one, within))
  const fields = Object.entries(value).map(([name, one]) => [
    cleanText(name, at),
    walk(one, within),
  ])
  return Object.fromEntries(fields)
}

function cleanText(written: string, { mode, found }: Walk): string {
  const open = dropPrivate(written)
  found.redactions += open.redactions
  if (mode === 'off') return open.text
  const { text, redactions, kinds } = redactSecrets(open.text)
  found.redactions += redactions
  for (const kind of kinds) found.kinds.add(kind)
  return text
}
