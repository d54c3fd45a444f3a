import { hash } from 'node:crypto'

export const statuses = [
  'queued',
  'extracting',
  'chunking',
  'embedding',
  'indexing',
  'done',
  'failed',
  'deleted',
] as const
export type DocumentStatus = (typeof statuses)[number]

export const sourceTypes = ['text', 'url', 'file'] as const

/** Imported material; its chunks are memories. Times are ISO 8601 in UTC. */
export interface Document {
  readonly id: string
  readonly agentId: string
  readonly project: string | null
  readonly sourceType: (typeof sourceTypes)[number]
  /** The URL, or the path of a file of a connector. */
  readonly sourceUrl: string | null
  readonly contentType: string | null
  /** SHA-256 of the content. */
  readonly contentHash: string | null
  readonly title: string | null
  readonly rawContent: string | null
  /** `base64`: the bytes of a file whose text is not extracted yet. */
  readonly encoding: 'utf8' | 'base64'
  readonly status: DocumentStatus
  readonly error: string | null
  readonly connectorId: string | null
  /** Only documents of a connector name a path of this machine. */
  readonly origin: 'api' | 'connector'
  readonly jobId: string | null
  readonly chunkCount: number
  readonly memoryCount: number
  readonly metadataJson: string | null
  readonly revision: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly completedAt: string | null
}

/** The job that reads a document. */
export const ingestJob = 'document_ingest'

export function toSubject(id: string): string {
  return `document:${id}`
}

export function hashBytes(content: string | Uint8Array): string {
  return hash('sha256', content)
}

type NewDocument = Pick<
  Document,
  'id' | 'agentId' | 'project' | 'sourceType' | 'sourceUrl' | 'origin'
> &
  Partial<Document>

export function newDocument(now: string, fields: NewDocument): Document {
  return {
    contentType: null,
    contentHash: null,
    title: null,
    rawContent: null,
    encoding: 'utf8',
    status: 'queued',
    error: null,
    connectorId: null,
    jobId: null,
    chunkCount: 0,
    memoryCount: 0,
    metadataJson: null,
    revision: 1,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
    ...fields,
  }
}
