const shown = '[redacted]'
/** Shorter ones would also be found in words that keep no secret. */
const shortest = 4

/** Replaces each secret, as it is and as the usual encodings write it. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf)
  // The longest first: a secret within another must not leave the rest of the other behind.
  const ordered = [...new Set(forms)].toSorted((a, b) => b.length - a.length)
  return (text) => ordered.reduce((clean, form) => clean.replaceAll(form, shown), text)
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const encoded = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
  const quoted = JSON.stringify(secret).slice(1, -1)
  return [secret, quoted, encodeForm(secret), ...encoded, bytes.toString('hex').toUpperCase()]
}

/** A lone surrogate has no form in an address. */
function encodeForm(secret: string): string {
  return secret.isWellFormed() ? encodeURIComponent(secret) : secret
}
