import { anyAssignments, likelyAssignments } from './assignments.ts'
import { cutSpans, type Redacted, type Spans } from './cut-spans.ts'
import { encodedFormats, type SecretFormat, secretFormats, type TextTest } from './formats.ts'
import { cutPrivateSpans } from './private-spans.ts'
import { spacedValues, structuredForms } from './structured-forms.ts'

export const placeholder = '[REDACTED]'
/** A shorter value in a memory may be text. */
const minContentLength = 8
const contentFormats = [
  ...secretFormats,
  ...structuredForms(minContentLength),
  ...likelyAssignments,
]
const identifierFormats = [...secretFormats, ...structuredForms(1), ...anyAssignments]
const strictFormats = [...identifierFormats, ...spacedValues, ...encodedFormats]

/** Redacts credentials of well-known formats. */
export function redactSecrets(text: string): Redacted {
  return redactFolded(text, (visible) => redact(visible, contentFormats))
}

/** Also redacts values assigned to the name of a secret, and long runs that look encoded. */
export function redactStrictly(text: string): Redacted {
  return redactFolded(text, (visible) => redact(visible, strictFormats))
}

/**
 * Removes `<private>…</private>`, also nested or with escaped marks. An unclosed span ends with the
 * text.
 */
export function removePrivateSpans(text: string): Redacted {
  return redactFolded(text, cutPrivateSpans)
}

/** Returns whether an identifier contains a private span or a credential. */
export function holdsSecret(text: string): boolean {
  const applied = [cutPrivateSpans, (text: string) => redact(text, identifierFormats)]
  return applied.some((apply) => redactFolded(text, apply).redactions > 0)
}

/** Zero-width, directional and tag characters. They could split a mark or a credential. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu
/** Small, full-width, circled and mathematical forms of ASCII. */
const variants = /[\u24b6-\u24e9\ufe50-\ufe6b\uff01-\uff5e\u{1d400}-\u{1d7ff}]+/gu
const notAscii = /[^\0-\x7f]/

/** Removes invisible characters and replaces ASCII variants, only if a redaction depends on it. */
function redactFolded(text: string, apply: (text: string) => Redacted): Redacted {
  const result = apply(text)
  if (!notAscii.test(text)) return result
  const asciiText = foldLookAlikes(text)
  if (asciiText === text) return result
  const foldedResult = apply(asciiText)
  const expected = result.text === text ? asciiText : foldLookAlikes(result.text)
  const isComplete = expected === foldedResult.text
  return isComplete || foldedResult.redactions < result.redactions ? result : foldedResult
}

function foldLookAlikes(text: string): string {
  return text.replaceAll(invisible, '').replaceAll(variants, (run) => run.normalize('NFKC'))
}

function redact(input: string, formats: readonly SecretFormat[]): Redacted {
  const keys = cutSpans(input, privateKeys)
  const kinds = new Set(keys.kinds)
  let { text, redactions } = keys
  const containsWord = createWordTest(text)
  for (const { kind, hints, words, pattern, accepts } of formats) {
    if (!hints.some((hint) => text.includes(hint)) || !containsWord(words)) continue
    text = text.replaceAll(pattern, (...match: readonly [string, ...unknown[]]) => {
      const read = (name: string) => readGroup(match.at(-1), name)
      if (accepts?.(read) === false) return match[0]
      kinds.add(kind)
      redactions++
      const quote = read('quote')
      return `${read('prefix')}${quote}${placeholder}${quote}`
    })
  }
  return { text, redactions, kinds: [...kinds] }
}

/** Formats share hints, so each is searched once. A redaction adds no words. */
function createWordTest(text: string): (words: TextTest | undefined) => boolean {
  const results = new Map<TextTest, boolean>()
  return (words) => {
    if (words === undefined) return true
    const result = results.get(words) ?? words.test(text)
    results.set(words, result)
    return result
  }
}

function readGroup(groups: unknown, name: string): string {
  const value: unknown =
    typeof groups === 'object' && groups !== null ? Reflect.get(groups, name) : undefined
  return typeof value === 'string' ? value : ''
}

/** RFC 7468; also the formats of OpenSSH and PGP (RFC 9580). */
const privateKeys: Spans = {
  kind: 'private-key',
  open: /-----BEGIN (?:[A-Z]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
  close: /-----END (?:[A-Z]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
  unclosed: /(?:\s{0,4}[A-Za-z0-9+/=]{16,76})*/g,
  replacement: placeholder,
}
