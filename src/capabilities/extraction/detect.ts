import { extname } from 'node:path'
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
}

/** Extensions that users send and that have no text of their own. */
const refused =
  /^\.(png|jpe?g|gif|webp|bmp|tiff?|heic|svgz|ico|mp3|wav|ogg|flac|m4a|mp4|mov|avi|mkv|webm|zip|tar|gz|tgz|bz2|xz|7z|rar|exe|dll|so|dmg|iso|bin|key|pages|numbers)$/

/** The format by magic bytes, then by extension, then by content type; text by default. */
export function detectFormat({ bytes, fileName = '', contentType = '' }: FileInput): Format {
  const extension = extname(fileName).toLowerCase()
  if (refused.test(extension) || startsLikeMedia(bytes))
    throw new Unreadable('unsupported_format', explainRefused(extension))
  const [type = ''] = contentType.toLowerCase().split(';')
  return byExtension[extension] ?? byContentType[type.trim()] ?? 'text'
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
  return media.some((magic) => magic.every((byte, at) => bytes[at] === byte))
}
