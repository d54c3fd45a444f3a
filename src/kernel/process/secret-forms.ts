/** The forms of secrets in an output, as bytes. */
export interface SecretForms {
  readonly plain: readonly Buffer[]
  /** Base64 and hexadecimal; encoders break them into lines. */
  readonly packed: readonly Buffer[]
}

/** Shorter values would match in ordinary words. */
const minLength = 4
/** Lines of a value with several lines, such as a private key. */
const minLineLength = 8
/** A longer form is searched in parts, which bounds the cost of a comparison and of the buffer. */
export const maxFormBytes = 128
/** A form is found by its first bytes. */
export const anchorBytes = 4

export function listForms(secrets: readonly string[]): SecretForms {
  const values = secrets.filter((secret) => secret.length >= minLength).flatMap(listLines)
  return {
    plain: toParts(values.flatMap(plainForms)),
    packed: toParts(values.flatMap(packedForms)),
  }
}

function listLines(secret: string): string[] {
  const lines = secret.split(/\r?\n/)
  return [secret, ...(lines.length > 1 ? lines.filter((line) => line.length >= minLineLength) : [])]
}

function plainForms(value: string): Buffer[] {
  const percent = value.isWellFormed() ? encodeURIComponent(value) : value
  const lower = percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
  const form = percent.replaceAll('%20', '+')
  const texts = [value, JSON.stringify(value).slice(1, -1), percent, lower, form]
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(value, 'utf16le')]
}

function packedForms(value: string): Buffer[] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const encoded = [bytes.toString('base64'), ...[0, 1, 2].map((before) => encodeAt(bytes, before))]
  const urls = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  const texts = [hex, hex.toUpperCase(), ...encoded, ...urls, bytes.toString('base64url')]
  return texts.map((text) => Buffer.from(text))
}

/** Base64 of the bytes after `before` others, without the letters that depend on neighbours. */
function encodeAt(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  const first = Math.ceil((before * 8) / 6)
  return text.slice(first, Math.floor(((before + bytes.length) * 8) / 6))
}

/** Distinct parts of at most `maxFormBytes`. The last one overlaps, so that it is not short. */
function toParts(forms: readonly Buffer[]): readonly Buffer[] {
  const parts = new Map<string, Buffer>()
  for (const form of forms)
    for (let at = 0; at < form.length; at += maxFormBytes) {
      const start = Math.max(0, Math.min(at, form.length - maxFormBytes))
      const part = form.subarray(start, start + maxFormBytes)
      if (part.length >= anchorBytes) parts.set(part.toString('latin1'), part)
    }
  return [...parts.values()]
}
