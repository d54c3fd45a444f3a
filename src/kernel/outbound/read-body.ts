import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Refusal } from '../errors/refusal.ts'

export const acceptedEncodings = 'gzip, deflate, br'

/** Returns the decoded body. Refuses `outbound_too_large` as soon as it exceeds the limit. */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const collect = async (source: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
  const unpack = createUnpack(encoding)
  return unpack ? await pipeline(body, unpack, collect) : await pipeline(body, collect)
}

export function createUnpack(encoding = 'identity'): Transform | undefined {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new Refusal('unsupported', 'outbound_type', 'The reply is packed in an unknown way.')
  }
}

export function tooLarge(maxBytes: number): Refusal {
  const message = `The reply passes the limit of ${maxBytes} bytes.`
  return new Refusal('too_large', 'outbound_too_large', message, { maxBytes })
}
