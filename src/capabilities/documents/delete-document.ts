import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { afterCommit, transaction } from '../../kernel/db/transaction.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { type Document, toSubject } from './document.ts'
import { documentChanged } from './events.ts'
import type { DocumentsNeeds } from './needs.ts'
import { documentNotFound } from './refusals.ts'
import { changeDocument, findDocument } from './store/documents.ts'
import { deleteLinks, listLinks, listUnlinked, lockLinks } from './store/links.ts'

/** Deletes a document and forgets its chunks that no other document shares. */
export async function deleteDocument(
  needs: DocumentsNeeds,
  caller: Caller,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<number> {
  needs.memory.assertWritable()
  return transaction(needs.db, async (db) => {
    const document = await findDocument(db, caller, id)
    const removed = document && (await removeDocument(needs, db, { document, reason }))
    if (removed === undefined) throw documentNotFound()
    return removed
  })
}

type RemovedDocument = Pick<Document, 'id' | 'agentId' | 'project' | 'title'>

/** Returns the number of forgotten memories; undefined if the document is deleted already. */
export async function removeDocument(
  needs: Pick<DocumentsNeeds, 'events' | 'host' | 'jobs' | 'memory'>,
  db: Db,
  { document, reason }: { readonly document: RemovedDocument; readonly reason: string },
): Promise<number | undefined> {
  const { id, agentId, project, title } = document
  const updatedAt = needs.host.now().toISOString()
  const error = toCleanText(reason)
  await lockLinks(db)
  // The first write locks the row: a running ingest stops at its next write.
  const isLive = await changeDocument(db, { id }, { status: 'deleted', error, updatedAt })
  if (!isLive) return undefined
  await needs.jobs.cancel(db, { subject: toSubject(id), agentId })
  afterCommit(db, () =>
    needs.events.emit(documentChanged, { id, agentId, project, status: 'deleted' }),
  )
  return forgetLinks(needs, db, {
    documentId: id,
    from: 0,
    reason: `Document ${title ?? id} deleted: ${error}`,
  })
}

/** Removes links from an index on, and forgets their memories that no document links any more. */
export async function forgetLinks(
  { memory }: Pick<DocumentsNeeds, 'memory'>,
  db: Db,
  { documentId, from, reason }: ForgottenLinks,
): Promise<number> {
  const links = await listLinks(db, documentId)
  const gone = links.filter(({ chunkIndex }) => chunkIndex >= from)
  await deleteLinks(db, documentId, from)
  const memoryIds = [...new Set(gone.map(({ memoryId }) => memoryId))]
  const ids = await listUnlinked(db, memoryIds)
  return memory.documentChunks.forget(db, { ids, reason })
}

interface ForgottenLinks {
  readonly documentId: string
  readonly from: number
  readonly reason: string
}
