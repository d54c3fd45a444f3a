import { Unreadable, type Warning } from '../result.ts'

interface DecodedText {
  readonly text: string
  readonly warnings: readonly Warning[]
}

const sampleLength = 8_192
/** Random bytes have ten percent, texts in any encoding less than one. */
const maxControlShare = 0.05

/** UTF-8 or the encoding of the byte order mark, else windows-1252. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = findMarkedEncoding(bytes)
  if (encoding !== undefined) return { text: clean(decode(bytes, encoding)), warnings: [] }
  assertText(bytes)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text: clean(text), warnings: [] }
  } catch {
    return { text: clean(decode(bytes, 'windows-1252')), warnings: ['encoding_guessed'] }
  }
}

function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes)
}

function findMarkedEncoding([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

function assertText(bytes: Uint8Array): void {
  const sample = bytes.subarray(0, sampleLength)
  const controls = sample.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0)
  if (controls > sample.length * maxControlShare)
    throw new Unreadable('unsupported_format', 'The file is binary data, not a text.')
}

/** Neither a blank nor the escape character of terminals. */
function isControl(byte: number): boolean {
  return byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127
}

/** Without NUL and lone surrogates, which no database stores. */
export function clean(text: string): string {
  const withoutNul = text.includes('\0') ? text.replaceAll('\0', '') : text
  if (withoutNul.isWellFormed()) return withoutNul
  return withoutNul.replaceAll(/\p{Surrogate}/gu, '')
}

/** The first heading of a text, if it stands before other words. */
export function findTitle(markdown: string): string | undefined {
  const [, title] = /^\s*# +(\S[^\n]{0,199})/.exec(markdown.slice(0, 10_000)) ?? []
  return title?.replace(/\s#*\s*$/, '').trim()
}
