import { extname } from 'node:path'
import { checkArchive, readEntry } from './check-archive.ts'
import { type FileInput, type Format, Unreadable } from './result.ts'

const byExtension: Readonly<Record<string, Format>> = {
  '.txt': 'text',
  '.log': 'text',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'markdown',
  '.json': 'json',
  '.jsonl': 'json',
  '.ndjson': 'json',
  '.geojson': 'json',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.eml': 'mail',
  '.pdf': 'pdf',
  '.rtf': 'rtf',
  '.doc': 'doc',
  '.ppt': 'ppt',
  '.xls': 'sheet',
  '.docx': 'docx',
  '.docm': 'docx',
  '.odt': 'odt',
  '.odp': 'odp',
  '.pptx': 'pptx',
  '.ppsx': 'pptx',
  '.epub': 'epub',
  '.xlsx': 'sheet',
  '.xlsm': 'sheet',
  '.ods': 'sheet',
}

const byContentType: Readonly<Record<string, Format>> = {
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'application/json': 'json',
  'application/x-ndjson': 'json',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'message/rfc822': 'mail',
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'application/msword': 'doc',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.ms-excel': 'sheet',
  'application/epub+zip': 'epub',
}

/** Extensions that users send and that have no text of their own. */
const refusedFormats =
  /^\.(png|jpe?g|gif|webp|bmp|tiff?|heic|svgz|ico|mp3|wav|ogg|flac|m4a|mp4|mov|avi|mkv|webm|zip|tar|gz|tgz|bz2|xz|7z|rar|exe|dll|so|dmg|iso|bin|key|pages|numbers)$/

/** The format by magic bytes, then by extension, then by content type; text by default. */
export function detectFormat({ bytes, fileName = '', contentType = '' }: FileInput): Format {
  const extension = extname(fileName).toLowerCase()
  if (refusedFormats.test(extension) || startsLikeMedia(bytes))
    throw new Unreadable('unsupported_format', explainRefused(extension))
  const [type = ''] = contentType.toLowerCase().split(';')
  const claimed = byExtension[extension] ?? byContentType[type.trim()]
  if (startsWith(bytes, pdf)) return 'pdf'
  if (startsWith(bytes, rtf)) return 'rtf'
  if (startsWith(bytes, compound)) return detectCompound(bytes, claimed)
  if (startsWith(bytes, zip)) return detectArchive(bytes)
  if (claimed !== undefined && containers.has(claimed))
    throw new Unreadable('corrupt', `The file is not a ${extension.slice(1) || claimed} file.`)
  return claimed ?? 'text'
}

/** Formats that begin with bytes of their own. */
const containers: ReadonlySet<Format> = new Set<Format>([
  'pdf',
  'rtf',
  'doc',
  'ppt',
  'sheet',
  'docx',
  'odt',
  'odp',
  'pptx',
  'epub',
])

const pdf = [0x25, 0x50, 0x44, 0x46, 0x2d]
const rtf = [0x7b, 0x5c, 0x72, 0x74, 0x66]
const compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const zip = [0x50, 0x4b, 0x03, 0x04]

/** A container of binary Office files, or of an encrypted newer one; the streams decide. */
function detectCompound(bytes: Uint8Array, claimedFormat: Format | undefined): Format {
  // Names of streams are in UTF-16.
  const directory = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const has = (name: string) => directory.includes(Buffer.from(name, 'utf16le'))
  if (has('EncryptedPackage') || has('EncryptionInfo'))
    throw new Unreadable('encrypted', 'The file is encrypted. Save it without a password.')
  if (has('WordDocument')) return 'doc'
  if (has('PowerPoint Document')) return 'ppt'
  if (has('Workbook') || has('Book')) return 'sheet'
  if (claimedFormat === 'doc' || claimedFormat === 'ppt' || claimedFormat === 'sheet')
    throw new Unreadable('corrupt', 'The file contains no document.')
  throw new Unreadable('unsupported_format', explainRefused('.msi'))
}

function detectArchive(bytes: Uint8Array): Format {
  const names = new Set(checkArchive(bytes))
  const [prefix] = ['word/', 'ppt/', 'xl/'].filter((folder) =>
    [...names].some((name) => name.startsWith(folder)),
  )
  if (prefix === 'word/') return 'docx'
  if (prefix === 'ppt/') return 'pptx'
  if (prefix === 'xl/') return 'sheet'
  const type = names.has('mimetype') ? (readEntry(bytes, 'mimetype') ?? '').trim() : ''
  if (type === 'application/epub+zip') return 'epub'
  const format = openDocument[type.replace('application/vnd.oasis.opendocument.', '')]
  if (format) return format
  throw new Unreadable('unsupported_format', explainRefused('.zip'))
}

const openDocument: Readonly<Record<string, Format>> = {
  text: 'odt',
  presentation: 'odp',
  spreadsheet: 'sheet',
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte)
}

function explainRefused(extension: string): string {
  return `Files of this type${extension && ` (${extension})`} have no text. Unpack an archive, or export the file as text or PDF.`
}

const media: readonly (readonly number[])[] = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
  [0x49, 0x44, 0x33],
  [0x4f, 0x67, 0x67, 0x53],
  [0x1f, 0x8b],
  [0x7f, 0x45, 0x4c, 0x46],
  [0x37, 0x7a, 0xbc, 0xaf],
  [0x52, 0x61, 0x72, 0x21],
]

function startsLikeMedia(bytes: Uint8Array): boolean {
  return media.some((magic) => startsWith(bytes, magic))
}
