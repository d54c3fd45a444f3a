import { cutSpans, type Redacted, type Spans } from './cut-spans.ts'
import { type SecretFormat, secretFormats, strictFormats } from './formats.ts'

const placeholder = '[REDACTED]'

/** Credentials of well-known formats. */
export function redactSecrets(text: string): Redacted {
  return ignoringInvisible(text, (visible) => redact(visible, secretFormats))
}

/** These, any value that is assigned to a name of a secret, and long runs that look encoded. */
export function redactStrictly(text: string): Redacted {
  return ignoringInvisible(text, (visible) => redact(visible, [...secretFormats, ...strictFormats]))
}

/** Takes out `<private>…</private>`; one that is not closed reaches to the end. */
export function removePrivateSpans(text: string): Redacted {
  return ignoringInvisible(text, (visible) =>
    cutSpans(visible, {
      kind: 'private',
      open: /<\s{0,9}private(?:\s[^<>]{0,200})?>/gi,
      close: /<\s{0,9}\/\s{0,9}private\s{0,9}>/gi,
      unclosed: /[\s\S]*/g,
      replacement: '',
    }),
  )
}

/** Zero-width, directional and tag characters. They could split a mark or a credential. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

/** Drops invisible characters from a text only if a redaction depends on it. */
function ignoringInvisible(text: string, apply: (text: string) => Redacted): Redacted {
  const result = apply(text)
  const visible = text.replaceAll(invisible, '')
  if (visible.length === text.length) return result
  const visibleResult = apply(visible)
  return visibleResult.redactions > result.redactions ? visibleResult : result
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
