import { cutSpans, type Redacted, type Spans } from './cut-spans.ts'
import { type SecretFormat, secretFormats, strictFormats } from './formats.ts'

const placeholder = '[REDACTED]'

/** Credentials of well-known formats. */
export function redactSecrets(text: string): Redacted {
  return redact(text, secretFormats)
}

/** These, any value that is assigned to a name of a secret, and long runs that look encoded. */
export function redactStrictly(text: string): Redacted {
  return redact(text, [...secretFormats, ...strictFormats])
}

/** Takes out `<private>…</private>`; one that is not closed reaches to the end. */
export function removePrivateSpans(text: string): Redacted {
  return cutSpans(text, {
    kind: 'private',
    open: /<private>/gi,
    close: /<\/private>/gi,
    unclosed: /[\s\S]*/g,
    replacement: '',
  })
}

function redact(written: string, formats: readonly SecretFormat[]): Redacted {
  const keys = cutSpans(written, privateKeys)
  const kinds = new Set(keys.kinds)
  let { text, redactions } = keys
  for (const { kind, hints, pattern } of formats) {
    if (!hints.some((hint) => text.includes(hint))) continue
    text = text.replaceAll(pattern, (...match) => {
      const groups: unknown = match.at(-1)
      kinds.add(kind)
      redactions++
      return `${prefixOf(groups)}${placeholder}`
    })
  }
  return { text, redactions, kinds: [...kinds] }
}

function prefixOf(groups: unknown): string {
  if (typeof groups !== 'object' || groups === null || !('prefix' in groups)) return ''
  return typeof groups.prefix === 'string' ? groups.prefix : ''
}

/** RFC 7468; also OpenSSH's own and PGP's, RFC 9580. */
const privateKeys: Spans = {
  kind: 'private-key',
  open: /-----BEGIN (?:[A-Z]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
  close: /-----END (?:[A-Z]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
  unclosed: /(?:\s{0,4}[A-Za-z0-9+/=]{16,76})*/g,
  replacement: placeholder,
}
