import { encodedRuns, type SecretFormat, secretFormats } from './formats.ts'

export interface Redacted {
  readonly text: string
  /** How many spans were taken out. */
  readonly redactions: number
  /** Of what kinds, each once. Never the values. */
  readonly kinds: readonly string[]
}

const shown = '[REDACTED]'

/** Credentials of well-known formats. */
export function redactSecrets(text: string): Redacted {
  return redact(text, secretFormats)
}

/** These, and whatever long run looks as if it were encoded. */
export function redactStrictly(text: string): Redacted {
  return redact(text, [...secretFormats, ...encodedRuns])
}

/** Takes out `<private>…</private>`; one that is not closed reaches to the end. */
export function dropPrivate(text: string): Redacted {
  return cutSpans(text, {
    ...{ kind: 'private', open: /<private>/gi, close: /<\/private>/gi },
    ...{ unclosed: /[\s\S]*/g, left: '' },
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
      return `${keepOf(groups)}${shown}`
    })
  }
  return { text, redactions, kinds: [...kinds] }
}

function keepOf(groups: unknown): string {
  if (typeof groups !== 'object' || groups === null || !('keep' in groups)) return ''
  return typeof groups.keep === 'string' ? groups.keep : ''
}

interface Spans {
  readonly kind: string
  readonly open: RegExp
  readonly close: RegExp
  /** What belongs to one that nothing closes. */
  readonly unclosed: RegExp
  /** What is put in the place of each. */
  readonly left: string
}

/** RFC 7468; also OpenSSH's own and PGP's, RFC 9580. */
const privateKeys: Spans = {
  kind: 'private-key',
  open: /-----BEGIN (?:[A-Z]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
  close: /-----END (?:[A-Z]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
  unclosed: /(?:\s{0,4}[A-Za-z0-9+/=]{16,76})*/g,
  left: shown,
}

/** By hand: a pattern with an open middle would read the rest anew for each beginning. */
function cutSpans(text: string, { kind, open, close, unclosed, left }: Spans): Redacted {
  const parts: string[] = []
  let at = 0
  let closes = true
  for (let begin = matchFrom(open, text, at); begin; begin = matchFrom(open, text, at)) {
    parts.push(text.slice(at, begin.index), left)
    const inside = begin.index + begin[0].length
    const closing: RegExpExecArray | null = closes ? matchFrom(close, text, inside) : null
    // Behind this one there is no other: the rest is not searched again for each beginning.
    closes = closing !== null
    const end = closing ?? matchFrom(unclosed, text, inside)
    at = end ? end.index + end[0].length : inside
  }
  if (parts.length === 0) return { text, redactions: 0, kinds: [] }
  parts.push(text.slice(at))
  return { text: parts.join(''), redactions: Math.ceil((parts.length - 1) / 2), kinds: [kind] }
}

function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern)
  sticky.lastIndex = from
  return sticky.exec(text)
}
