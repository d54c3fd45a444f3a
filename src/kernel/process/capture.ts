import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { redactor } from './redact.ts'

export interface Capture {
  /** Resolves when the output ends. */
  readonly ended: Promise<unknown>
  /** Stops reading. */
  close(): void
  text(): string
  truncated(): boolean
}

/**
 * Captures the first bytes of an output and drains the rest, so that the child never blocks on a
 * full pipe.
 */
export function captureOutput(
  output: Readable | null,
  { bytes, secrets }: { readonly bytes: number; readonly secrets: readonly string[] },
): Capture {
  const chunks: Buffer[] = []
  let capturedBytes = 0
  let seen = 0
  const redact = redactor(secrets)
  // Captures extra bytes, so that a secret that crosses the cap is still recognized.
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
  // A character split at the cap becomes a replacement character, which is not part of the output.
  return whole
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '')
}
