import { Refusal } from '../errors/refusal.ts'
import type { HygieneMode } from './config.ts'
import type { Redacted } from './cut-spans.ts'
import { dropPrivate, redactSecrets } from './redact.ts'

/** What may be kept of a text that somebody wants kept. Refuses `credential_blocked`. */
export function cleanText(written: string, mode: HygieneMode): Redacted {
  const open = dropPrivate(written)
  if (mode === 'off') return open
  const clean = redactSecrets(open.text)
  if (mode === 'block' && clean.redactions > 0)
    throw new Refusal('invalid', 'credential_blocked', 'content holds a credential', {
      kinds: clean.kinds,
    })
  return {
    text: clean.text,
    redactions: open.redactions + clean.redactions,
    kinds: [...open.kinds, ...clean.kinds],
  }
}
