import { placeholder, redactStrictly } from '../../../kernel/redaction/redact.ts'
import type { TargetError, TargetErrorKind } from '../targets/target.ts'

const maxProviderChars = 200
const maxErrorChars = 500
/** A provider's message that repeats so much of the prompt is left out. */
const repeatedChars = 24

const sentences: ReadonlyMap<TargetErrorKind, string> = new Map([
  ['http', 'The provider refused the call'],
  ['timeout', 'The provider did not answer in time (timeout)'],
  ['network', 'The connection to the provider failed'],
  ['invalid_reply', 'The reply of the provider is invalid'],
  ['aborted', 'The call was cancelled'],
  ['runtime_unavailable', 'The target cannot run'],
])

interface Secrets {
  /** Credentials in use. */
  readonly credentials: readonly string[]
  readonly prompt: string
}

/** A sentence of ours with the status, and what the provider says where that is harmless. */
export function describeError(error: TargetError, secrets: Secrets): string {
  const { kind, status, providerMessage = '', explanation = sentences.get(kind) } = error
  const sentence = `${explanation}${status === undefined ? '' : ` with status ${status}`}`
  const text = cleanProviderText(providerMessage, secrets)
  return `${sentence}${text ? `: ${text}` : ''}`.slice(0, maxErrorChars)
}

function cleanProviderText(text: string, { credentials, prompt }: Secrets): string {
  const line = toLine(text).slice(0, maxProviderChars)
  if (repeats(line, toLine(prompt))) return ''
  const withoutKeys = credentials.reduce(
    (cleaned, key) => (key.length > 3 ? cleaned.replaceAll(key, placeholder) : cleaned),
    line,
  )
  return redactStrictly(withoutKeys).text.slice(0, maxProviderChars)
}

function repeats(text: string, prompt: string): boolean {
  const comparable = prompt.toLowerCase()
  const lowerText = text.toLowerCase()
  if (prompt.length > 0 && prompt.length < repeatedChars) return lowerText.includes(comparable)
  for (let at = 0; at + repeatedChars <= lowerText.length; at++)
    if (comparable.includes(lowerText.slice(at, at + repeatedChars))) return true
  return false
}

/** Also reads escaped line breaks and quotation marks, as in JSON. */
function toLine(text: string): string {
  return text
    .replaceAll(/\\[nrt]/g, ' ')
    .replaceAll(/\\(["\\/])/g, '$1')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
