const replacement = '[redacted]'
/** Shorter secrets would match in ordinary words. */
const minLength = 4

/** Replaces each secret, plain and in the usual encodings. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.filter((secret) => secret.length >= minLength).flatMap(formsOf)
  // Longest first: otherwise a secret contained in another would leave a rest of it.
  const ordered = [...new Set(forms)].toSorted((a, b) => b.length - a.length)
  return (text) => ordered.reduce((clean, form) => clean.replaceAll(form, replacement), text)
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const encoded = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
  const quoted = JSON.stringify(secret).slice(1, -1)
  return [secret, quoted, encodeForm(secret), ...encoded, bytes.toString('hex').toUpperCase()]
}

/** A lone surrogate cannot be percent-encoded. */
function encodeForm(secret: string): string {
  return secret.isWellFormed() ? encodeURIComponent(secret) : secret
}
