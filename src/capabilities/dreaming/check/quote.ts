const minQuoteLength = 12
/** In scripts without spaces. */
const minDenseLength = 4
const denseScript = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

/** Why a quote is no evidence; undefined for an exact one. */
export function findQuoteFault(text: string, quote: string): string | undefined {
  const words = quote.trim()
  const minLength = denseScript.test(words) ? minDenseLength : minQuoteLength
  if ([...words].length < minLength)
    return `The quote has fewer than ${minLength} characters. Quote the whole statement.`
  if (!text.includes(words)) return 'The quote does not occur in its source. Copy it exactly.'
  return undefined
}
