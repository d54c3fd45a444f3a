import { hash, subtle } from 'node:crypto'
import { releaseBytes } from '../../../kernel/threads/release-memory.ts'
import { chunkBytes } from './headers.ts'

/** Longer bodies are hashed apart from the event loop. */
const maxInlineBytes = 65_536

export async function hashBody(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= maxInlineBytes) return hashChunk(bytes)
  const copy = new Uint8Array(bytes)
  const digest = await subtle.digest('SHA-256', copy)
  releaseBytes(copy)
  return Buffer.from(digest).toString('hex')
}

export function hashChunk(bytes: Uint8Array): string {
  return hash('sha256', bytes)
}

/** The next link of the checksum chain over the stored chunks. It begins with an empty text. */
export function chainDigest(previous: string, checksum: string, length: number): string {
  return hash('sha256', `${previous}:${checksum}:${length}`)
}

/** The parts of a body as they are stored. */
export function splitChunks(bytes: Buffer): readonly { bytes: Buffer; checksum: string }[] {
  const count = Math.ceil(bytes.length / chunkBytes)
  return Array.from({ length: count }, (_, index) => {
    const part = bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)
    return { bytes: part, checksum: hashChunk(part) }
  })
}
