const mask = '[credential]'
/** A shorter value would match ordinary words. */
const minLength = 8

export function maskCredential(text: string, credential: string): string {
  return credential.length < minLength ? text : text.replaceAll(credential, mask)
}

/**
 * Masks the credential in a text that arrives in pieces. A piece that ends with the start of the
 * credential is delayed until the next one.
 */
export function createStreamMask(credential: string) {
  let tail = ''
  const push = (piece: string): string => {
    if (credential.length < minLength) return piece
    const text = maskCredential(tail + piece, credential)
    const overlap = overlapWith(text, credential)
    tail = text.slice(text.length - overlap)
    return text.slice(0, text.length - overlap)
  }
  const flush = (): string => {
    const rest = tail
    tail = ''
    return rest
  }
  return { push, flush }
}

/** The length of the longest start of the credential that ends the text. */
function overlapWith(text: string, credential: string): number {
  const longest = Math.min(text.length, credential.length - 1)
  for (let length = longest; length > 0; length--) {
    if (credential.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}
