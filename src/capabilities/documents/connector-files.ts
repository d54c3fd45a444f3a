import type { Db } from '../../kernel/db/database.ts'
import { executeBatch } from '../../kernel/db/execute-batch.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { insertAndQueue, queueIngest } from './add-document.ts'
import { removeDocument } from './delete-document.ts'
import { hashBytes, newDocument, toSubject } from './document.ts'
import type { DocumentsNeeds } from './needs.ts'
import {
  countOfConnector,
  type FileOwner,
  type FilePage,
  type FileState,
  findConnectorFile,
  listConnectorFiles,
  listFilesUnder,
  replaceContent,
  type StoredFile,
} from './store/connector-files.ts'

/** A file that the run of a connector has read. */
interface ConnectorFile {
  /** The absolute path. */
  readonly path: string
  readonly fileName: string
  readonly bytes: Uint8Array
}

/** The documents of files. Only the run of a connector reads the disk. */
export interface ConnectorFiles {
  /** The newest state of the documents of these paths, deleted ones included. */
  find(owner: FileOwner, paths: readonly string[]): Promise<ReadonlyMap<string, FileState>>
  /**
   * Adds a file, or queues its changed content, in the transaction of `db`. With `force`, unchanged
   * content is queued too. Refuses `queue_full`.
   */
  save(db: Db, file: ConnectorFile, options: { owner: FileOwner; force: boolean }): Promise<Saved>
  /** Live documents of a folder after an id, in order of their ids. */
  listUnder(owner: FileOwner, page: FilePage): Promise<readonly StoredFile[]>
  /** Deletes a document in the transaction of `db`. */
  remove(db: Db, file: StoredFile, reason: string): Promise<void>
  /** The number of documents of a connector that are not deleted. */
  count(connectorId: string): Promise<number>
}

type Saved = 'added' | 'changed' | 'unchanged'
export function createConnectorFiles(needs: DocumentsNeeds): ConnectorFiles {
  return {
    find: (owner, paths) => listConnectorFiles(needs.background, owner, paths),
    save: (db, file, options) => saveFile(needs, db, { ...file, ...options }),
    listUnder: (owner, page) => listFilesUnder(needs.background, owner, page),
    remove: async (db, document, reason) => {
      await removeDocument(needs, db, { document, reason })
    },
    count: (connectorId) => countOfConnector(needs.background, connectorId),
  }
}

interface SavedFile extends ConnectorFile {
  readonly owner: FileOwner
  readonly force: boolean
}

async function saveFile(needs: DocumentsNeeds, db: Db, file: SavedFile): Promise<Saved> {
  const { owner, path, bytes, force } = file
  const stored = await findConnectorFile(db, owner, path)
  const contentHash = hashBytes(bytes)
  if (stored && stored.contentHash === contentHash && !force) return 'unchanged'
  if (!stored) return addFile(needs, db, { ...file, contentHash })
  const updatedAt = needs.host.now().toISOString()
  const rawContent = toBase64(bytes)
  await replaceContent(db, { id: stored.id, contentHash, rawContent, updatedAt })
  // A run that reads the content before stops at its next write.
  await needs.jobs.cancel(db, { subject: toSubject(stored.id), agentId: stored.agentId })
  await queueIngest(needs, db, stored)
  return 'changed'
}

async function addFile(
  needs: DocumentsNeeds,
  db: Db,
  { owner, path, fileName, bytes, contentHash }: SavedFile & { readonly contentHash: string },
): Promise<Saved> {
  const { id: connectorId, agentId, project } = owner
  await executeBatch(db, [needs.agents.registering(db, { agentId, scope: {} })])
  const document = newDocument(needs.host.now().toISOString(), {
    id: needs.host.newId(),
    agentId,
    project,
    connectorId,
    contentHash,
    origin: 'connector',
    sourceType: 'file',
    sourceUrl: path,
    title: toCleanText(fileName),
    rawContent: toBase64(bytes),
    encoding: 'base64',
  })
  return (await insertAndQueue(needs, db, document)) ? 'added' : 'unchanged'
}

/** The bytes are redacted once their text is extracted. */
function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
