import { redactStrictly, removePrivateSpans } from './redact.ts'

declare const cleaned: unique symbol

/**
 * Text without private spans and credentials, by the strict rule. Stores of derived text accept
 * only this type. A part of it is a plain string and must be cleaned again.
 */
export type CleanText = string & { readonly [cleaned]: true }

/** Idempotent. */
export function toCleanText(text: string): CleanText {
  return redactStrictly(removePrivateSpans(text).text).text as CleanText
}

/** Cleans a text that an earlier version wrote, in which marks may be escaped. */
export function cleanStoredText(text: string): CleanText {
  return toCleanText(text.replaceAll(/&lt;(?=\/?private>)/gi, '<'))
}
