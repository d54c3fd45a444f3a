import { Refusal } from '../../kernel/errors/refusal.ts'
import { redactContent, type SecretPolicy } from '../../kernel/redaction/redact-content.ts'
import { detectFormat } from './detect.ts'
import type { OfficeFormat } from './formats/office.ts'
import { clean, decodeText, findTitle } from './formats/text.ts'
import {
  type ExtractedText,
  type ExtractionFailure,
  type ExtractionResult,
  type FileInput,
  type Format,
  Unreadable,
  type Warning,
} from './result.ts'

const maxInputBytes = 104_857_600
const maxTextLength = 26_214_400

type Content = Pick<ExtractedText, 'text'> & {
  readonly title?: string | undefined
  readonly canonical?: string
  readonly links?: readonly string[]
  readonly warnings?: readonly Warning[]
}

/** Reads a file of any supported format. Never throws for bad input. */
export async function convertFile(input: FileInput): Promise<ExtractionResult> {
  let format: Format | undefined
  try {
    assertSize(input.bytes)
    format = detectFormat(input)
    return redact(finish(format, await convertAs(format, input)), input.secretPolicy)
  } catch (error) {
    return { ...toFailure(error), ...(format && { format }) }
  }
}

/** Texts that need no parser; they are read in the daemon itself when short. */
export function isPlain(format: Format): boolean {
  return format === 'text' || format === 'markdown'
}

async function convertAs(format: Format, input: FileInput): Promise<Content> {
  const convert = converters[format]
  return convert ? convert(input.bytes) : convertText(format, input)
}

/** Each library is loaded when the first file needs it. */
const converters: Readonly<Partial<Record<Format, (bytes: Uint8Array) => Promise<Content>>>> = {
  pdf: async (bytes) => (await import('./formats/pdf.ts')).convertPdf(bytes),
  sheet: async (bytes) => (await import('./formats/sheet.ts')).convertSheet(bytes),
  doc: async (bytes) => (await import('./formats/word.ts')).convertWord(bytes),
  ppt: async (bytes) => (await import('./formats/slides.ts')).convertSlides(bytes),
  mail: async (bytes) => (await import('./formats/mail.ts')).convertMail(bytes),
  docx: (bytes) => convertOfficeAs('docx', bytes),
  odt: (bytes) => convertOfficeAs('odt', bytes),
  odp: (bytes) => convertOfficeAs('odp', bytes),
  pptx: (bytes) => convertOfficeAs('pptx', bytes),
  epub: (bytes) => convertOfficeAs('epub', bytes),
  rtf: (bytes) => convertOfficeAs('rtf', bytes),
}

async function convertOfficeAs(format: OfficeFormat, bytes: Uint8Array): Promise<Content> {
  const { convertOffice } = await import('./formats/office.ts')
  return convertOffice(bytes, format)
}

async function convertText(format: Format, input: FileInput): Promise<Content> {
  const { text, warnings } = decodeText(input.bytes)
  if (format === 'json') {
    const { convertJson } = await import('./formats/json.ts')
    return { ...convertJson(text), warnings }
  }
  if (format === 'csv') {
    const { convertCsv } = await import('./formats/csv.ts')
    const table = convertCsv(text)
    return { ...table, warnings: [...warnings, ...table.warnings] }
  }
  if (format === 'html') {
    const { convertHtml } = await import('./formats/html.ts')
    return { ...convertHtml(text, input), warnings }
  }
  return { text, title: format === 'markdown' ? findTitle(text) : undefined, warnings }
}

function assertSize({ length }: Uint8Array): void {
  if (length === 0) throw new Unreadable('empty', 'The file is empty.')
  if (length > maxInputBytes) throw new Unreadable('too_large', 'A file may have 100 MiB at most.')
}

function finish(format: Format, content: Content): ExtractedText {
  const { title, canonical, links, warnings = [] } = content
  const text = clean(content.text)
  if (text.length > maxTextLength)
    throw new Unreadable('too_large', 'The text of a file may have 25 MiB at most.')
  if (text.trim() === '') throw new Unreadable('empty', 'The file contains no text.')
  return {
    status: 'extracted',
    format,
    text,
    ...(title && { title: clean(title) }),
    ...(canonical !== undefined && { canonical: clean(canonical) }),
    ...(links && { links }),
    warnings,
  }
}

function redact(extracted: ExtractedText, policy: SecretPolicy | undefined): ExtractedText {
  if (policy === undefined) return extracted
  const { text, title, canonical } = extracted
  const { value } = redactContent({ text, title, canonical }, policy)
  if (value.text.trim() === '') throw new Unreadable('empty', 'The file contains no text.')
  return {
    ...extracted,
    text: value.text,
    ...(value.title !== undefined && { title: value.title }),
    ...(value.canonical !== undefined && { canonical: value.canonical }),
  }
}

export function toFailure(error: unknown): ExtractionFailure {
  if (error instanceof Unreadable)
    return { status: 'failed', reason: error.reason, message: error.message }
  if (error instanceof Refusal && error.code === 'credential_blocked')
    return { status: 'failed', reason: 'credential_blocked', message: error.message }
  // Parsers throw errors of any kind for damaged files.
  const why = error instanceof Error ? error.message.slice(0, 200) : 'unknown error'
  return { status: 'failed', reason: 'corrupt', message: `The file is damaged: ${why}` }
}
