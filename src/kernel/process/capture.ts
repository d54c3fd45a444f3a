import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { createStreamRedactor } from './redact.ts'

export interface Capture {
  /** Resolves when the output ends. */
  readonly ended: Promise<unknown>
  /** Stops reading. */
  close(): void
  /** Called after the end. */
  finish(): CapturedOutput
}

interface CapturedOutput {
  readonly text: string
  /** Size of the whole output. */
  readonly bytes: number
  /** Whether the redacted output is longer than the limit. */
  readonly truncated: boolean
}

export interface CaptureOptions {
  /** Maximum size of the redacted output. */
  readonly bytes: number
  readonly secrets: readonly string[]
  /** Receives the redacted output within the limit as it arrives. */
  readonly onText?: ((text: string) => void) | undefined
}

/**
 * Captures the first bytes of an output, redacted, and drains the rest, so that the child never
 * blocks on a full pipe.
 */
export function captureOutput(output: Readable | null, options: CaptureOptions): Capture {
  const { bytes: maxBytes, secrets, onText } = options
  const redactor = createStreamRedactor(secrets)
  const decoder = new TextDecoder()
  const parts: string[] = []
  let [capturedBytes, seenBytes] = [0, 0]
  const append = (output: Buffer, isEnd = false) => {
    const room = Math.max(0, maxBytes - capturedBytes)
    capturedBytes += output.length
    // A character that the limit splits is left out.
    const text = decoder.decode(output.subarray(0, room), {
      stream: !isEnd || capturedBytes > maxBytes,
    })
    if (text === '') return
    parts.push(text)
    onText?.(text)
  }
  output?.on('data', (chunk: Buffer) => {
    seenBytes += chunk.length
    if (capturedBytes <= maxBytes) append(redactor.push(chunk))
  })
  return {
    ended: output ? once(output, 'close') : Promise.resolve(),
    close: () => output?.destroy(),
    finish: () => {
      append(redactor.end(), true)
      return { text: parts.join(''), bytes: seenBytes, truncated: capturedBytes > maxBytes }
    },
  }
}
