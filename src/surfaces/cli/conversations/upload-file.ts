import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import { isMissing } from '../daemon-file.ts'
import { CliError } from '../failure.ts'
import type { Progress } from '../progress.ts'

const chunkBytes = 1_048_576
const pollMs = 250
const finalStates = ['completed', 'completed_with_rejections', 'failed', 'cancelled', 'paused']
const imports = '/api/sources/imports'
const filePath = `${imports}/:jobId/files/:fileId`

/** An upload that can be continued, in a file next to the export. */
interface Checkpoint {
  readonly url: string
  readonly jobId: string
  readonly fileId: string
  readonly contentHash: string
}

export interface Upload {
  /** The file of lines. */
  readonly file: string
  readonly name: string
  readonly checkpoint: string
  readonly resume: boolean
  readonly progress: Progress
}

export interface Imported {
  readonly jobId: string
  readonly state: string
  readonly imported: number
  readonly duplicate: number
  readonly rejected: number
}

/** Uploads a file in chunks, imports it and waits for the end. */
export async function uploadFile(client: Client, upload: Upload): Promise<Imported> {
  const { size } = await stat(upload.file)
  const contentHash = await hashFile(upload.file)
  const at = await begin(client, upload, contentHash)
  const path = { jobId: at.jobId, fileId: at.fileId }
  const file = await readUpload(client, at)
  if (file.storage_state === 'purged') {
    await rm(upload.checkpoint, { force: true })
    throw nothingToResume('The interrupted upload was cancelled, and its bytes are deleted.')
  }
  if (file.storage_state === 'uploading') {
    await sendChunks(client, upload, { path, size, file })
    await client.call(`POST ${filePath}/finalize`, { path })
  }
  await client.call(`POST ${imports}/:jobId/start`, { path: { jobId: at.jobId } })
  const done = await waitForEnd(client, at.jobId)
  await rm(upload.checkpoint, { force: true })
  if (isKnown(done)) await deleteSource(client, at)
  return done
}

/** Whether an import has stored nothing, because earlier ones have stored all of it. */
export const isKnown = ({ state, imported, duplicate, rejected }: Imported) =>
  state === 'completed' && imported === 0 && rejected === 0 && duplicate > 0

/** The source of an import without conversations of its own. */
async function deleteSource(client: Client, at: Checkpoint): Promise<void> {
  const { source_id: sourceId } = await readUpload(client, at)
  if (typeof sourceId === 'string')
    await client.call('DELETE /api/sources/:sourceId', { path: { sourceId } })
}

async function begin(client: Client, upload: Upload, contentHash: string): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(upload.checkpoint)
  const isSame = checkpoint?.url === client.url && checkpoint.contentHash === contentHash
  if (upload.resume && isSame) return checkpoint
  if (upload.resume)
    throw nothingToResume('No interrupted upload of this export into this daemon exists.')
  const body = { files: [{ name: upload.name }] }
  const created = Object(await client.call(`POST ${imports}`, { body }))
  const at = { url: client.url, jobId: created.id, fileId: created.files[0].id, contentHash }
  await writeFile(upload.checkpoint, JSON.stringify(at), { mode: 0o600 })
  return at
}

const nothingToResume = (message: string) =>
  new CliError('not_found', 'nothing_to_resume', message, 'Import it without --resume.')

interface UploadState {
  readonly storage_state: string
  readonly upload_offset: number
  readonly upload_generation: number
  readonly source_id?: string | null
}

async function readUpload(client: Client, { jobId, fileId }: Checkpoint): Promise<UploadState> {
  const reply = Object(await client.call(`GET ${imports}/:jobId`, { path: { jobId } }))
  const files: readonly (UploadState & { readonly id: string })[] = reply.files
  const file = files.find(({ id }) => id === fileId)
  if (!file) throw new CliError('not_found', 'nothing_to_resume', 'The import has no such file.')
  return file
}

interface Sending {
  readonly path: { readonly jobId: string; readonly fileId: string }
  readonly size: number
  readonly file: UploadState
}

async function sendChunks(client: Client, upload: Upload, sending: Sending): Promise<void> {
  const { path, size, file } = sending
  if (size === 0) throw new CliError('usage', 'empty', `${upload.name} contains no conversation`)
  const source = await open(upload.file)
  try {
    let offset = file.upload_offset
    upload.progress.advance(offset)
    while (offset < size) {
      const { buffer, bytesRead } = await source.read(
        Buffer.alloc(chunkBytes),
        0,
        chunkBytes,
        offset,
      )
      const bytes = buffer.subarray(0, bytesRead)
      await client.call(`PATCH ${filePath}`, {
        path,
        bytes,
        headers: {
          'content-type': 'application/octet-stream',
          'upload-length': String(size),
          'upload-offset': String(offset),
          'upload-generation': String(file.upload_generation),
          'upload-checksum': hash('sha256', bytes),
        },
      })
      offset += bytesRead
      upload.progress.advance(bytesRead)
    }
  } finally {
    await source.close()
  }
}

async function waitForEnd(client: Client, jobId: string): Promise<Imported> {
  for (;;) {
    const { job } = Object(await client.call(`GET ${imports}/:jobId`, { path: { jobId } }))
    const { state, imported, duplicate, rejected } = job
    if (finalStates.includes(state)) return { jobId, state, imported, duplicate, rejected }
    await pause(pollMs)
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  try {
    const read = Object(JSON.parse(await readFile(path, 'utf8')))
    const names = ['url', 'jobId', 'fileId', 'contentHash']
    return names.every((name) => typeof read[name] === 'string') ? read : undefined
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined
    throw error
  }
}
