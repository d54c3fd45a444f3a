import { constants } from 'node:fs'
import { appendFile, copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'

/** One file of a model in its source. */
export interface SourceFile {
  /** Relative to the source. */
  readonly from: string
  readonly to: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: { readonly bytes: number; readonly total: number }) => void
}

/** Brings a file of the source into the workspace. Returns false if the source does not have it. */
export type ReadFile = (file: SourceFile) => Promise<boolean>

const pieceBytes = 8 * 1024 * 1024
const maxFileBytes = 4 * 1024 ** 3
const pieceTimeoutMs = 120_000

/** Copies from a folder of this machine. */
export function copyFrom(folder: string): ReadFile {
  return async ({ from, to, onProgress }) => {
    const source = join(folder, from)
    const stats = await stat(source).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw error
    })
    if (!stats?.isFile()) return false
    await mkdir(dirname(to), { recursive: true })
    await copyFile(source, to, constants.COPYFILE_FICLONE)
    onProgress({ bytes: stats.size, total: stats.size })
    return true
  }
}

/**
 * Downloads in pieces by range requests, which follow redirects and resume after an interruption. A
 * changed ETag starts the file again.
 */
export function downloadFrom(outbound: Pick<Outbound, 'fetch'>, base: string): ReadFile {
  return async ({ from, to, signal, onProgress }) => {
    const url = `${base.replace(/\/+$/, '')}/${from}`
    await mkdir(dirname(to), { recursive: true })
    const download: Download = { url, to, tagFile: `${to}.etag`, signal }
    // A file without a tag is complete: an earlier run has finished it.
    const isComplete = (await sizeOf(to)) > 0 && (await readTag(download)) === undefined
    for (let isDone = isComplete; !isDone; ) {
      const progress = await readPiece(outbound, download)
      if (progress === 'missing') return false
      if (progress === 'changed') continue
      onProgress(progress)
      isDone = progress.bytes >= progress.total
    }
    await rm(download.tagFile, { force: true })
    return true
  }
}

interface Download {
  readonly url: string
  readonly to: string
  /** Holds the ETag of an unfinished file. */
  readonly tagFile: string
  readonly signal: AbortSignal
}

async function readPiece(
  outbound: Pick<Outbound, 'fetch'>,
  { url, to, tagFile, signal }: Download,
) {
  const offset = await sizeOf(to)
  const headers = { range: `bytes=${offset}-${offset + pieceBytes - 1}` }
  const limits = { maxBytes: pieceBytes, timeoutMs: pieceTimeoutMs, signal }
  const reply = await outbound.fetch(url, { headers, ...limits })
  const { status, body } = reply
  if (status === 404) return 'missing' as const
  const tag = reply.headers['etag'] ?? ''
  const isChanged = status === 206 && tag !== (await readTag({ tagFile }))
  if (offset > 0 && (status === 416 || isChanged)) {
    await rm(to)
    return 'changed' as const
  }
  if ((status !== 200 && status !== 206) || body.length === 0) throw unavailable(url, status)
  const isWhole = status === 200
  const total = isWhole ? body.length : totalOf(reply.headers['content-range'], url)
  await writeFile(tagFile, tag)
  await (isWhole ? writeFile(to, body) : appendFile(to, body))
  return { bytes: isWhole ? total : offset + body.length, total }
}

async function readTag({ tagFile }: Pick<Download, 'tagFile'>): Promise<string | undefined> {
  return await readFile(tagFile, 'utf8').catch(() => undefined)
}

function totalOf(contentRange: string | undefined, url: string): number {
  const total = Number(/\/(\d+)$/.exec(contentRange ?? '')?.[1])
  if (!Number.isSafeInteger(total))
    throw new Refusal('unavailable', 'model_unavailable', `${url} sends no length of the file.`)
  if (total > maxFileBytes)
    throw new Refusal('too_large', 'model_too_large', `${url} has more than 4 GiB.`)
  return total
}

function unavailable(url: string, status: number): Refusal {
  return new Refusal(
    status < 500 && status !== 429 ? 'invalid' : 'unavailable',
    'model_unavailable',
    `${url} replied with status ${status}. Check the address of the model.`,
  )
}

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}
