import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { redactor } from './redact.ts'

export interface Capture {
  /** Fulfilled when the output has ended. */
  readonly ended: Promise<unknown>
  /** Reads no further. */
  close(): void
  text(): string
  truncated(): boolean
}

/** Keeps the first bytes of an output and reads on past them, so that the child never blocks on a full pipe. */
export function captureOutput(
  output: Readable | null,
  { bytes, secrets }: { readonly bytes: number; readonly secrets: readonly string[] },
): Capture {
  const chunks: Buffer[] = []
  let capturedBytes = 0
  let seen = 0
  const redact = redactor(secrets)
  // A secret that begins before the cap is cut must still be known, so more bytes are captured.
  const ahead = Math.max(0, ...secrets.map((secret) => 4 * Buffer.byteLength(secret)))
  output?.on('data', (chunk: Buffer) => {
    const room = chunk.subarray(0, Math.max(0, bytes + ahead - capturedBytes))
    if (room.length > 0) chunks.push(room)
    capturedBytes += room.length
    seen += chunk.length
  })
  return {
    ended: output ? once(output, 'close') : Promise.resolve(),
    close: () => output?.destroy(),
    text: () => cut(redact(Buffer.concat(chunks).toString('utf8')), bytes),
    truncated: () => seen > bytes,
  }
}

function cut(text: string, bytes: number): string {
  const whole = Buffer.from(text)
  if (whole.length <= bytes) return text
  // Half a letter at the cut becomes a replacement character, which is not part of the output.
  return whole
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '')
}
