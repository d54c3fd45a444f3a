import { holdsSecret } from '../../kernel/redaction/redact.ts'
import { isSecretField } from '../../kernel/redaction/secret-field.ts'

/** The URL of a database may contain a password in forms that no pattern finds. */
const secretKeys = new Set(['database.url'])

/** Returns the value, or that one is set if it contains a credential. */
export function maskSetting(key: string, value: unknown): unknown {
  if (value === undefined || value === null) return null
  return isSecret(key, value) ? { set: true } : value
}

function isSecret(key: string, value: unknown): boolean {
  if (secretKeys.has(key) || isSecretField(key)) return true
  if (typeof value === 'string') return holdsSecret(value) || holdsSecret(`${key}: ${value}`)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, child]) =>
      child !== null && isSecret(Array.isArray(value) ? key : `${key}.${name}`, child),
  )
}
