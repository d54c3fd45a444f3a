import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { toKeyId } from './key.ts'

interface WrappedKey {
  readonly format: 'svc-wrapped-key-v1'
  readonly keyId: string
  readonly salt: string
  readonly nonce: string
  readonly sealed: string
  readonly tag: string
}

const format = 'svc-wrapped-key-v1'
const algorithm = 'aes-256-gcm'
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }
const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

/** Returns JSON text that contains the key, encrypted with the passphrase. */
export async function wrapKey(key: Buffer, passphrase: string): Promise<string> {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const keyId = toKeyId(key)
  const cipher = createCipheriv(algorithm, await deriveKey(passphrase, salt), nonce)
  cipher.setAAD(toAad(keyId))
  const sealed = Buffer.concat([cipher.update(key), cipher.final()])
  const fields = { salt, nonce, sealed, tag: cipher.getAuthTag() }
  const texts = Object.entries(fields).map(([name, bytes]) => [name, bytes.toString('base64')])
  return `${JSON.stringify({ format, keyId, ...Object.fromEntries(texts) }, null, 1)}\n`
}

/** Returns undefined for a wrong passphrase or a changed file. Throws for a file of another kind. */
export async function unwrapKey(text: string, passphrase: string): Promise<Buffer | undefined> {
  const fields = parse(text)
  const bytes = (name: 'salt' | 'nonce' | 'sealed' | 'tag') => Buffer.from(fields[name], 'base64')
  const decipher = createDecipheriv(
    algorithm,
    await deriveKey(passphrase, bytes('salt')),
    bytes('nonce'),
    { authTagLength: 16 },
  )
  try {
    decipher.setAAD(toAad(fields.keyId))
    decipher.setAuthTag(bytes('tag'))
    const key = Buffer.concat([decipher.update(bytes('sealed')), decipher.final()])
    return toKeyId(key) === fields.keyId ? key : undefined
  } catch {
    return undefined
  }
}

function parse(text: string): WrappedKey {
  const parsed = readJson(text) as Partial<WrappedKey> | null
  const fields = [parsed?.keyId, parsed?.salt, parsed?.nonce, parsed?.sealed, parsed?.tag]
  const isWrapped = parsed?.format === format && fields.every((field) => typeof field === 'string')
  if (isWrapped && Buffer.from(String(parsed.nonce), 'base64').length === 12)
    return parsed as WrappedKey
  throw new Error('The file is not an exported key.')
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return derive(passphrase.normalize('NFKC'), salt, 32, cost)
}

function toAad(keyId: string): Buffer {
  return Buffer.from(`${format}:${keyId}`)
}
