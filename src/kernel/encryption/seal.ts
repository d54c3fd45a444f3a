import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The place of a sealed value. It opens only with the same context. */
export interface SealContext {
  /** Part of the key derivation: `svc:secrets:v2:<zone>:<name>`. */
  readonly info: string
  /** Authenticated with the value. */
  readonly data: readonly string[]
}

const algorithm = 'aes-256-gcm'
const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16
const blockBytes = 64
/** Marks the end of the value; zero bytes follow. */
const endMark = 0x80

/** Returns base64 of salt, nonce, ciphertext and tag. */
export function sealValue(key: Buffer, context: SealContext, value: string): string {
  const salt = randomBytes(saltBytes)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, deriveKey(key, salt, context), nonce)
  cipher.setAAD(toAad(context))
  const sealed = Buffer.concat([cipher.update(pad(Buffer.from(value))), cipher.final()])
  return Buffer.concat([salt, nonce, sealed, cipher.getAuthTag()]).toString('base64')
}

/** Returns undefined for a value that was changed, moved or sealed with another key. */
export function openValue(key: Buffer, context: SealContext, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64')
  const body = saltBytes + nonceBytes
  if (bytes.length < body + blockBytes + tagBytes) return undefined
  const salt = bytes.subarray(0, saltBytes)
  const decipher = createDecipheriv(
    algorithm,
    deriveKey(key, salt, context),
    bytes.subarray(saltBytes, body),
    { authTagLength: tagBytes },
  )
  decipher.setAAD(toAad(context))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    const text = [decipher.update(bytes.subarray(body, -tagBytes)), decipher.final()]
    return unpad(Buffer.concat(text))
  } catch {
    return undefined
  }
}

function deriveKey(key: Buffer, salt: Buffer, { info }: SealContext): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, 32))
}

/** JSON, because joined texts could be split in another way. */
function toAad({ data }: SealContext): Buffer {
  return Buffer.from(JSON.stringify(data))
}

function pad(value: Buffer): Buffer {
  const blocks = Math.ceil((value.length + 1) / blockBytes)
  const padded = Buffer.alloc(blocks * blockBytes)
  value.copy(padded)
  padded[value.length] = endMark
  return padded
}

function unpad(padded: Buffer): string | undefined {
  const end = padded.lastIndexOf(endMark)
  return end < 0 ? undefined : padded.subarray(0, end).toString('utf8')
}
