import { placeholder } from '../redaction/redact.ts'
import { createFormIndex, type FindForms } from './form-index.ts'
import { listForms, maxFormBytes } from './secret-forms.ts'

/** Redacts an output that arrives in chunks. */
export interface StreamRedactor {
  /** Returns what can be shown. The end is buffered, because a secret may begin there. */
  push(chunk: Buffer): Buffer
  end(): Buffer
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Bounds the buffer of an output that consists of blanks. */
const maxBufferedBytes = 16_384
const replacement = Buffer.from(placeholder)

/** Replaces each secret, plain and in the usual encodings. The cost is linear in the output. */
export function createStreamRedactor(secrets: readonly string[]): StreamRedactor {
  const { plain, packed } = listForms(secrets)
  if (plain.length === 0) return { push: (chunk) => chunk, end: () => Buffer.alloc(0) }
  const [findPlain, findPacked] = [createFormIndex(plain), createFormIndex(packed)]
  let buffered: Buffer = Buffer.alloc(0)
  /** Bytes at the start of the buffer that an earlier replacement covers. */
  let coveredTo = 0
  /** Whether the last shown bytes are a replacement. */
  let isContinued = false
  const release = (bytes: Buffer, limit: number): Buffer => {
    buffered = bytes.subarray(limit)
    if (limit === 0) return Buffer.alloc(0)
    const seed = coveredTo > 0 ? [{ start: 0, end: coveredTo }] : []
    const spans = mergeSpans([...seed, ...listSpans(bytes, findPlain, findPacked)])
    const output = replaceSpans(bytes, { spans, limit, isContinued })
    const last = spans.findLast(({ start }) => start < limit)
    coveredTo = Math.max(0, (last?.end ?? 0) - limit)
    isContinued = (last?.end ?? -1) >= limit
    return output
  }
  return {
    push: (chunk) => {
      const bytes = Buffer.concat([buffered, chunk])
      return release(bytes, findLimit(bytes))
    },
    end: () => release(buffered, buffered.length),
  }
}

function listSpans(bytes: Buffer, findPlain: FindForms, findPacked: FindForms): Span[] {
  const spans: Span[] = []
  findPlain(bytes, (start, end) => spans.push({ start, end }))
  const dense = new Uint8Array(bytes.length)
  const positions = new Uint32Array(bytes.length)
  let length = 0
  for (const [index, byte] of bytes.entries()) {
    if (isBlank(byte)) continue
    dense[length] = byte
    positions[length++] = index
  }
  findPacked(dense.subarray(0, length), (start, end) => {
    spans.push({ start: positions[start] ?? 0, end: (positions[end - 1] ?? 0) + 1 })
  })
  return spans
}

/** Space, tab and line breaks. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

/** Returns where the first form could begin that is not complete yet. */
function findLimit(bytes: Buffer): number {
  const floor = Math.max(0, bytes.length - maxBufferedBytes)
  let needed = maxFormBytes - 1
  let index = bytes.length
  while (index > floor && needed > 0) if (!isBlank(bytes[--index] ?? 0)) needed--
  return Math.max(floor, Math.min(index, bytes.length - maxFormBytes + 1))
}

function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (!last || start > last.end) merged.push({ start, end })
    else if (end > last.end) merged[merged.length - 1] = { start: last.start, end }
  }
  return merged
}

interface Replacing {
  readonly spans: readonly Span[]
  readonly limit: number
  /** The replacement of a first span that begins at 0 was shown before. */
  readonly isContinued: boolean
}

function replaceSpans(bytes: Buffer, { spans, limit, isContinued }: Replacing): Buffer {
  const parts: Buffer[] = []
  let copiedTo = 0
  for (const { start, end } of spans) {
    if (start >= limit) break
    parts.push(bytes.subarray(copiedTo, start))
    if (start > 0 || !isContinued) parts.push(replacement)
    copiedTo = Math.min(end, limit)
  }
  return Buffer.concat([...parts, bytes.subarray(copiedTo, limit)])
}
