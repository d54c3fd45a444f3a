import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { isAbsolute, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ByteBody } from '../../../kernel/http/byte-body.ts'
import { readMultipart } from '../../../kernel/http/multipart.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { invalid, sourcesRefusal } from '../refusals.ts'

export const maxFileBytes = 26_214_400
const maxEntries = 25
const maxNameBytes = 255

const duplicateModes = ['skip', 'replace', 'reimport'] as const
export type DuplicateMode = (typeof duplicateModes)[number]

/** A file that waits for its import: in a temporary file, or at its own path. */
export interface WaitingFile {
  readonly fileName: string
  readonly contentType?: string | undefined
  readonly path: string
  /** Why it cannot be imported. */
  readonly problem?: string
}

export interface ReceivedForm {
  readonly files: readonly WaitingFile[]
  /** A batch names the paths of files on this machine. */
  readonly hasPaths: boolean
  readonly duplicateMode: DuplicateMode
}

interface FormRequest {
  readonly bytes: ByteBody
  readonly headers: IncomingHttpHeaders
}

/**
 * Receives a form in temporary files, because `duplicateMode` may come after the files, then calls
 * `use`. The temporary files end with it.
 */
export async function withReceivedForm<Result>(
  workspace: string,
  request: FormRequest,
  use: (form: ReceivedForm) => Promise<Result>,
): Promise<Result> {
  const uploads = uploadsFolder(workspace)
  await mkdir(uploads, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(uploads, 'form-'))
  try {
    return await use(await receive(folder, request))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Deletes what a killed daemon left behind. */
export async function removeUploads(workspace: string): Promise<void> {
  await rm(uploadsFolder(workspace), { recursive: true, force: true })
}

function uploadsFolder(workspace: string): string {
  return join(workspace, '.daemon', 'uploads')
}

async function receive(folder: string, { bytes, headers }: FormRequest): Promise<ReceivedForm> {
  const files: WaitingFile[] = []
  const paths: string[] = []
  let duplicateMode: DuplicateMode = 'skip'
  await readMultipart(bytes, headers, {
    // One more, so that the limit shows its excess.
    maxFiles: maxEntries + 1,
    maxFileBytes: maxFileBytes + 1,
    onField: (name, value) => {
      if (name === 'paths') paths.push(value)
      if (name === 'duplicateMode') duplicateMode = toMode(value)
    },
    onFile: async ({ fileName, contentType, bytes }) => {
      const path = join(folder, String(files.length))
      files.push({ fileName: toFileName(fileName), contentType, path })
      await pipeline(bytes, createWriteStream(path, { mode: 0o600, flags: 'wx' }))
    },
  })
  const entries = [...files, ...paths.map(toLocalFile)]
  if (entries.length === 0) throw invalid('The form has no files. Send them in the field files.')
  if (entries.length > maxEntries) throw sourcesRefusal('too_many_files')
  return { files: entries, hasPaths: paths.length > 0, duplicateMode }
}

function toMode(value: string): DuplicateMode {
  return duplicateModes.find((mode) => mode === value) ?? 'skip'
}

function toLocalFile(path: string): WaitingFile {
  const fileName = toFileName(path)
  if (!isAbsolute(path) || path.includes('\0'))
    return { fileName, path, problem: 'The path is not absolute.' }
  return { fileName, path }
}

/** The last segment, without controls, within the length that file systems take. */
export function toFileName(sent: string): string {
  const [segment = ''] = sent.split(/[\\/]/).slice(-1)
  const clean = toCleanText(segment.toWellFormed().replaceAll(/\p{Cc}/gu, '')).trim()
  const bytes = Buffer.from(clean)
  if (bytes.length <= maxNameBytes) return clean
  const dot = clean.lastIndexOf('.')
  const extension = dot > 0 && clean.length - dot <= 10 ? clean.slice(dot) : ''
  const room = maxNameBytes - Buffer.byteLength(extension)
  return `${bytes.subarray(0, room).toString('utf8').replaceAll('\uFFFD', '')}${extension}`
}
