const secrets = new Set([
  ...['password', 'passwords', 'passwd', 'passphrase', 'passcode', 'pwd', 'secret', 'secrets'],
  ...['token', 'credential', 'credentials', 'apikey', 'apikeys'],
])
/** `key` and `tokens` are secret only after one of these words: `tokens` alone may be a count. */
const qualifiers = new Set([
  ...['api', 'access', 'secret', 'private', 'account', 'auth', 'signing', 'encryption', 'master'],
  ...['refresh', 'bearer', 'client', 'license', 'deploy', 'webhook'],
])
const qualified = new Set(['key', 'keys', 'tokens'])

/** Longer names are text; field names have few words. */
const maxNameLength = 200

/**
 * Returns whether a field of this name contains a credential: `DB_PASSWORD`, `apiKey`, but not
 * `token_count`.
 */
export function isSecretField(name: string): boolean {
  const words = name
    .slice(-maxNameLength)
    .normalize('NFKC')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  return secrets.has(last) || (qualified.has(last) && qualifiers.has(words.at(-2) ?? ''))
}
