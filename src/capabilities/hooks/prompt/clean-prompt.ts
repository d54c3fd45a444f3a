import { type CleanText, toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { dropInjected } from '../../transcripts/index.ts'

/** What was said, clean: words, the window and telemetry are derived from this text alone. */
export function cleanPrompt(written: string | undefined): CleanText {
  return toCleanText(
    dropInjected(written ?? '')
      .toWellFormed()
      .trim(),
  )
}

const greetings = new Set([
  ...['ok', 'okay', 'okay cool', 'k', 'kk', 'thanks', 'thank you', 'yes', 'yep', 'yes please'],
  ...['sure', 'cool', 'nice', 'great', 'got it', 'go ahead', 'sounds good'],
])

/** Lower case, without possessives and punctuation, one space between words. */
export function normalizePrompt(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/['’]s\b/g, '')
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}

/** Nothing that could be looked up: `terms` are the words that are left without stop words. */
export function isLowSignal(normalized: string, terms: readonly string[]): boolean {
  return greetings.has(normalized) || terms.length === 0
}
