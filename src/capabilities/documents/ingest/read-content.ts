import { basename } from 'node:path'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import type { FileInput } from '../../extraction/index.ts'
import type { Document } from '../document.ts'
import { notIngestible } from '../refusals.ts'

const userAgent = 'Svc/1.0 (document-ingest)'
const timeoutMs = 30_000
const accept = [
  'text/*',
  'application/json',
  'application/xml',
  'application/xhtml+xml',
  'application/pdf',
]
/** Statuses that a later attempt would not change. */
const finalStatuses = new Set([400, 401, 403, 404, 405, 406, 410, 451])
/** Refusals of the address or of the reply. */
const finalRefusals = /^outbound_(scheme|address|type|redirects|too_large|encoding)$/

interface ContentNeeds {
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** The bytes of a document: those that the caller sent, or those of its URL. */
export async function readContent(document: Document, needs: ContentNeeds): Promise<FileInput> {
  const { rawContent, encoding, contentType, title, sourceUrl } = document
  if (rawContent === null) return fetchPage(sourceUrl ?? '', needs)
  return {
    bytes: Uint8Array.from(Buffer.from(rawContent, encoding)),
    contentType: contentType ?? undefined,
    // The extension of a title decides only for files.
    fileName: document.sourceType === 'file' ? (title ?? basename(sourceUrl ?? '')) : undefined,
  }
}

async function fetchPage(
  url: string,
  { outbound, maxBytes, signal }: ContentNeeds,
): Promise<FileInput> {
  const reply = await fetchOnce(url, { outbound, maxBytes, signal })
  const { status, headers, body } = reply
  if (finalStatuses.has(status)) throw notIngestible('http_status', `The server replied ${status}.`)
  if (status < 200 || status >= 300)
    throw new Refusal('unavailable', 'http_status', `The server replied ${status}.`)
  const contentType = headers['content-type']
  return {
    bytes: body,
    contentType: typeof contentType === 'string' ? contentType : undefined,
    fileName: basename(new URL(reply.url).pathname),
    isWebPage: true,
  }
}

async function fetchOnce(url: string, { outbound, maxBytes, signal }: ContentNeeds) {
  try {
    return await outbound.fetch(url, {
      headers: { 'user-agent': userAgent },
      accept,
      maxBytes,
      timeoutMs,
      signal,
    })
  } catch (error) {
    if (error instanceof Refusal && finalRefusals.test(error.code))
      throw notIngestible(error.code, error.message)
    throw error
  }
}
