import { hash } from 'node:crypto'
import { extname } from 'node:path'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { redactContent } from '../../kernel/redaction/redact-content.ts'
import { convertFile, toFailure } from './convert.ts'
import { detectFormat } from './detect.ts'
import { parseJson } from './formats/json.ts'
import { splitRecords } from './formats/records.ts'
import { decodeText } from './formats/text.ts'
import { type ExtractionFailure, type FileInput, type Format, Unreadable } from './result.ts'

const rowsPerPart = 100
const maxParts = 5_000
const maxContentLength = 26_214_400

/** A file as the import of files stores it: its content, and views of it. */
export interface ImportedContent {
  readonly status: 'extracted'
  /** `json`, `html`, `csv`, `markdown`, `text`, or the extension of a converted file. */
  readonly format: string
  readonly title?: string | undefined
  readonly content: string
  /** SHA-256 of the content. */
  readonly contentHash: string
  /** Bytes of the content. */
  readonly size: number
  readonly meta: Readonly<Record<string, unknown>>
  readonly parts: readonly ImportedPart[]
}

/** A second view of a file: its rows, or its compact form. */
interface ImportedPart {
  /** Its path is that of the file, followed by this fragment. */
  readonly fragment: string
  readonly kind: 'json_canonical' | 'csv_chunk'
  readonly content: string
  readonly meta: Readonly<Record<string, unknown>>
}

type Views = Pick<ImportedContent, 'content' | 'meta'> & {
  readonly title?: string | undefined
  readonly parts?: readonly ImportedPart[]
}

/** Reads a file for an import, without credentials and private spans. Never throws for bad input. */
export async function readImportedFile(
  input: FileInput,
): Promise<ImportedContent | ExtractionFailure> {
  try {
    const format = detectFormat(input)
    const { content, parts = [], ...views } = await readViews(format, input)
    if (content.trim() === '') throw new Unreadable('empty', 'The file contains no text.')
    const size = Buffer.byteLength(content)
    if (size > maxContentLength)
      throw new Unreadable('too_large', 'The text of a file may have 25 MiB at most.')
    const contentHash = hash('sha256', content)
    return {
      status: 'extracted',
      format: nameOf(format, input),
      content,
      contentHash,
      size,
      parts,
      ...views,
    }
  } catch (error) {
    return toFailure(error)
  }
}

async function readViews(format: Format, input: FileInput): Promise<Views> {
  if (format === 'json') return readJson(decodeText(input.bytes).text)
  if (format === 'csv') return readCsv(decodeText(input.bytes).text)
  const converted = await convertFile(input)
  if (converted.status === 'failed') throw new Unreadable(converted.reason, converted.message)
  const content = normalizeText(toCleanText(converted.text))
  const title = converted.title && toCleanText(converted.title)
  const isConverted = !['text', 'markdown', 'html'].includes(format)
  return { content, title, meta: isConverted ? { converter: format } : {} }
}

/** The indented document, and its compact form. */
function readJson(source: string): Views {
  const document = redactContent(parseJson(source), 'redact').value
  const rootType = Array.isArray(document) ? 'array' : document === null ? 'null' : typeof document
  try {
    return {
      content: normalizeText(toCleanText(JSON.stringify(document, null, 2))),
      meta: { representation: 'projection', rootType },
      parts: [
        {
          fragment: '#canonical',
          kind: 'json_canonical',
          content: normalizeText(toCleanText(JSON.stringify(document))),
          meta: { representation: 'canonical', rootType },
        },
      ],
    }
  } catch (error) {
    if (error instanceof RangeError)
      throw new Unreadable('corrupt', 'The JSON is nested too deeply.')
    throw error
  }
}

/** The text of the file, and each hundred of its rows under its header. */
function readCsv(source: string): Views {
  const content = normalizeText(toCleanText(source))
  const [header = '', ...rows] = splitRecords(content)
  const rowCount = rows.length
  if (rowCount > maxParts * rowsPerPart)
    throw new Unreadable('too_large', `A table may have ${maxParts * rowsPerPart} rows at most.`)
  const parts: ImportedPart[] = []
  for (let at = 0; at < rowCount; at += rowsPerPart) {
    const some = rows.slice(at, at + rowsPerPart)
    const [rowStart, rowEnd] = [at + 1, at + some.length]
    parts.push({
      fragment: `#rows-${rowStart}-${rowEnd}`,
      kind: 'csv_chunk',
      content: normalizeText([header, ...some].join('\n')),
      meta: { rowStart, rowEnd, rowCount: some.length, representation: 'table-row-range' },
    })
  }
  return { content, meta: { rowCount }, parts }
}

/** Line ends are LF, without blanks at the end. */
function normalizeText(text: string): string {
  return `${text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '').trimEnd()}\n`
}

/** Converted files are named by their extension. */
function nameOf(format: Format, { fileName = '' }: FileInput): string {
  if (['json', 'html', 'csv', 'markdown', 'text'].includes(format)) return format
  return extname(fileName).slice(1).toLowerCase() || format
}
