import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject } from '../../kernel/auth/permission.ts'
import type { Db } from '../../kernel/db/database.ts'
import { executeBatch } from '../../kernel/db/execute-batch.ts'
import { afterCommit, transaction } from '../../kernel/db/transaction.ts'
import { redactContent } from '../../kernel/redaction/redact-content.ts'
import { type Document, hashBytes, ingestJob, newDocument, toSubject } from './document.ts'
import { documentChanged } from './events.ts'
import type { AddNeeds, DocumentsNeeds } from './needs.ts'
import { contentTooLarge, invalidDocument } from './refusals.ts'
import { changeDocument, findSame, insertDocument } from './store/documents.ts'

/** A document as a caller sends it. */
interface DocumentFields {
  readonly sourceType: Document['sourceType']
  readonly content?: string | undefined
  readonly encoding?: Document['encoding'] | undefined
  readonly url?: string | undefined
  readonly title?: string | undefined
  readonly contentType?: string | undefined
  readonly connectorId?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

export interface DocumentRequest extends DocumentFields {
  readonly project?: string | undefined
}

interface AddedDocument {
  readonly id: string
  readonly status: Document['status']
  readonly jobId: string | null
  readonly deduplicated: boolean
}

/** A document whose insert lost a race may be deleted before it is read. */
const maxAttempts = 3

/** Stores a document and queues its ingest. The live document of the same source is returned. */
export async function addDocument(
  needs: AddNeeds,
  caller: Caller,
  request: DocumentRequest,
): Promise<AddedDocument> {
  needs.memory.assertWritable()
  await assertConnector(needs, caller, request.connectorId)
  const project = request.project ?? caller.scope.project ?? null
  assertInProject(caller, project)
  const document = toDocument(needs, caller, { ...request, project })
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const added = await transaction(needs.db, async (db) => {
      await executeBatch(db, [needs.agents.registering(db, caller)])
      return insertAndQueue(needs, db, document)
    })
    if (added) return added
    const { id, status, jobId } = (await findSame(needs.db, document)) ?? {}
    if (id !== undefined && status !== undefined)
      return { id, status, jobId: jobId ?? null, deduplicated: true }
  }
  throw new Error('The document was not stored.')
}

async function assertConnector(
  { connectors }: Pick<AddNeeds, 'connectors'>,
  caller: Caller,
  connectorId: string | undefined,
): Promise<void> {
  if (connectorId === undefined) return
  const found = await Promise.all(connectors.list().map((one) => one.exists(caller, connectorId)))
  if (!found.includes(true))
    throw invalidDocument('connector_id names no connector. List them with reverie connectors.')
}

/** Inserts a document with its job, in the transaction of `db`. */
export async function insertAndQueue(
  needs: Pick<DocumentsNeeds, 'jobs' | 'events' | 'host'>,
  db: Db,
  document: Document,
): Promise<AddedDocument | undefined> {
  if (!(await insertDocument(db, document))) return undefined
  const jobId = await queueIngest(needs, db, document)
  return { id: document.id, status: 'queued', jobId, deduplicated: false }
}

/** Queues the ingest of a stored document. */
export async function queueIngest(
  { jobs, events, host }: Pick<DocumentsNeeds, 'jobs' | 'events' | 'host'>,
  db: Db,
  { id, agentId, project }: Pick<Document, 'id' | 'agentId' | 'project'>,
): Promise<string> {
  const { id: jobId } = await jobs.enqueue(db, {
    kind: ingestJob,
    payload: { documentId: id },
    dedupeKey: id,
    agentId,
    subject: toSubject(id),
  })
  await changeDocument(db, { id }, { jobId, updatedAt: host.now().toISOString() })
  afterCommit(db, () => events.emit(documentChanged, { id, agentId, project, status: 'queued' }))
  return jobId
}

function toDocument(
  needs: DocumentsNeeds,
  caller: Caller,
  request: DocumentFields & { readonly project: string | null },
): Document {
  const { encoding = 'utf8', sourceType, project } = request
  const {
    content,
    url,
    title,
    contentType,
    connectorId = null,
    metadata,
  } = redactRequest(needs, request)
  if (content?.trim() === '') throw invalidDocument('content is required')
  return newDocument(needs.host.now().toISOString(), {
    id: needs.host.newId(),
    agentId: caller.agentId,
    project,
    origin: 'api',
    sourceType,
    sourceUrl: url ?? null,
    title: title ?? null,
    contentType: contentType ?? (sourceType === 'text' ? 'text/plain' : null),
    rawContent: content ?? null,
    contentHash: content === undefined ? null : hashBytes(content),
    encoding,
    connectorId,
    metadataJson: metadata === undefined ? null : JSON.stringify(metadata),
  })
}

/** The bytes of a file are redacted once their text is extracted. */
function redactRequest(
  needs: DocumentsNeeds,
  { content, encoding = 'utf8', ...fields }: DocumentFields,
): Partial<DocumentFields> {
  const { maxContentBytes } = needs.config()
  if (content !== undefined && sizeOf(content, encoding) > maxContentBytes)
    throw contentTooLarge(maxContentBytes)
  if (encoding === 'base64')
    return { ...redactContent(fields, needs.secretPolicy()).value, content }
  return redactContent({ ...fields, content }, needs.secretPolicy()).value
}

function sizeOf(content: string, encoding: Document['encoding']): number {
  return encoding === 'base64' ? (content.length / 4) * 3 : Buffer.byteLength(content)
}
