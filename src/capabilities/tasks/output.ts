import { redactStrictly } from '../../kernel/redaction/redact.ts'
import type { OutputStream, StoredOutput } from './task.ts'

/** Characters of a stream that are stored; the rest is dropped. */
export const maxStored = 1_048_576
const maxChunk = 8_192
const openKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
const closedKey = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/

type OnChunk = (stream: OutputStream, chunk: string) => void

/** Redacts the output of a run at line ends and collects it. Live and stored text are the same. */
export function createOutput(onChunk: OnChunk) {
  const streams = { stdout: createStream(), stderr: createStream() }
  const emit = (name: OutputStream, text: string) => {
    const stream = streams[name]
    for (let at = 0; at < text.length; at += maxChunk) {
      const room = maxStored - stream.length
      const chunk = text.slice(at, at + maxChunk).slice(0, Math.max(0, room))
      if (chunk.length < Math.min(maxChunk, text.length - at)) stream.truncated = true
      if (chunk === '') return
      stream.length += chunk.length
      stream.parts.push(chunk)
      onChunk(name, chunk)
    }
  }
  return {
    add: (name: OutputStream, text: string) => {
      const stream = streams[name]
      stream.pending += text
      const ready = findReady(stream.pending)
      if (ready === 0) return
      const lines = stream.pending.slice(0, ready)
      stream.pending = stream.pending.slice(ready)
      emit(name, redactStrictly(lines).text)
    },
    /** Called once, at the end of the run. */
    finish: (): Readonly<Record<OutputStream, StoredOutput>> => {
      for (const name of ['stdout', 'stderr'] as const)
        emit(name, redactStrictly(streams[name].pending).text)
      return { stdout: toStored(streams.stdout), stderr: toStored(streams.stderr) }
    },
  }
}

function createStream() {
  return { pending: '', parts: [] as string[], length: 0, truncated: false }
}

/** Characters up to the last line end. A long line, or a key without its end, waits for more. */
function findReady(pendingText: string): number {
  const isKeyOpen = openKey.test(pendingText) && !closedKey.test(pendingText)
  if (isKeyOpen && pendingText.length < 4 * maxChunk) return 0
  const end = pendingText.lastIndexOf('\n') + 1
  return end === 0 && pendingText.length >= maxChunk ? pendingText.length : end
}

function toStored({
  parts,
  truncated,
}: Pick<ReturnType<typeof createStream>, 'parts' | 'truncated'>): StoredOutput {
  return { text: parts.join('').replaceAll('\0', '').toWellFormed(), truncated }
}
