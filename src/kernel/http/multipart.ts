import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { Refusal } from '../errors/refusal.ts'
import type { ByteBody } from './byte-body.ts'

/** A file of a form, while it arrives. */
interface UploadedFile {
  readonly field: string
  /** As the client sent it. */
  readonly fileName: string
  readonly contentType: string
  /** Its bytes, at most as many as `maxFileBytes`; the rest is dropped. */
  readonly bytes: Readable
}

interface MultipartReader {
  readonly maxFileBytes: number
  /** Maximum files; more are refused. */
  readonly maxFiles: number
  readonly onField: (name: string, value: string) => void
  /** The next part is read once the bytes of this one are. */
  readonly onFile: (file: UploadedFile) => Promise<void>
}

const maxFields = 100
const maxFieldBytes = 65_536

/**
 * Reads a form with files, one part after another. Refuses `invalid_multipart`, and
 * `body_too_large` for more files or a body above the limit of the route.
 */
export async function readMultipart(
  bytes: ByteBody,
  headers: IncomingHttpHeaders,
  reader: MultipartReader,
): Promise<void> {
  const form = openForm(headers, reader)
  const files: Promise<void>[] = []
  let error: Error | undefined
  form.on('field', (name, value) => reader.onField(name, value))
  form.on('file', (field, stream, fileName, _encoding, contentType) => {
    const file = { field, fileName, contentType, bytes: stream }
    const read = reader.onFile(file).catch((reason: Error) => {
      error ??= reason
      // An unread part would hold up the rest of the form.
      stream.resume()
    })
    files.push(read)
  })
  form.on('filesLimit', () => {
    error ??= tooManyFiles(reader.maxFiles)
  })
  try {
    await pipeline(Readable.from(bytes.parts()), form)
  } catch (reason) {
    if (reason instanceof Refusal) throw reason
    throw error ?? invalidMultipart('The form is cut off or malformed.')
  }
  await Promise.all(files)
  if (error) throw error
}

function openForm(headers: IncomingHttpHeaders, { maxFileBytes, maxFiles }: MultipartReader) {
  const contentType = headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType))
    throw invalidMultipart('The body must be a form: send Content-Type multipart/form-data.')
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        files: maxFiles,
        fields: maxFields,
        fieldSize: maxFieldBytes,
        fileSize: maxFileBytes,
      },
    })
  } catch {
    throw invalidMultipart('The Content-Type of the form has no boundary.')
  }
}

function invalidMultipart(message: string): Refusal {
  return new Refusal('invalid', 'invalid_multipart', message)
}

function tooManyFiles(max: number): Refusal {
  return new Refusal('too_large', 'body_too_large', `The form has more than ${max} files.`)
}
