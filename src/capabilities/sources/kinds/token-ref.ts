import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { sourcesRefusal } from '../refusals.ts'

const reference = /^[A-Za-z0-9_./:-]{1,256}$/
/** What tokens of the origins look like. A reference is a name that the user chose. */
const rawTokens = [
  /^(?:bot|bearer|token|basic)\b/i,
  /^mfa\./i,
  /^[\w-]{18,}\.[\w-]{4,}\.[\w-]{20,}$/,
  /^(?:gh[a-z]_|github_pat_|glpat-)/i,
  /^(?:secret_[A-Za-z0-9]{20,}|ntn_)/,
]

/** Refuses `raw_token` for anything but the name of a secret. The value is not repeated. */
export function assertTokenRef(tokenRef: string): void {
  const isRaw = rawTokens.some((pattern) => pattern.test(tokenRef))
  if (!reference.test(tokenRef) || isRaw || toCleanText(tokenRef) !== tokenRef)
    throw sourcesRefusal('raw_token')
}
