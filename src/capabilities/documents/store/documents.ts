import type { Caller } from '../../../kernel/auth/caller.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Document, DocumentStatus } from '../document.ts'

/** A chunk of a document and the memory with its text, which documents may share. */
export interface ChunkLink {
  readonly documentId: string
  readonly memoryId: string
  readonly chunkIndex: number
}

type Tables = {
  documents: Document
  documentMemories: ChunkLink
}

export function tables(db: Db) {
  return db.withTables<Tables>()
}

/** The rows that a caller may see: those of its agent, within the project of its token. */
type Reader = Pick<Caller, 'agentId' | 'scope'>

/** Statuses in which a source is free to be added again. */
const ended = ['failed', 'deleted'] as const

const visible = (db: Db, { agentId, scope: { project } }: Reader) => {
  const rows = tables(db).selectFrom('documents').where('agentId', '=', agentId)
  return project === undefined ? rows : rows.where('project', '=', project)
}

/** Returns false when a live document has the same source. */
export async function insertDocument(db: Db, document: Document): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tables(db)
    .insertInto('documents')
    .values(document)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

export function findDocument(db: Db, reader: Reader, id: string): Promise<Document | undefined> {
  return visible(db, reader).selectAll().where('id', '=', id).executeTakeFirst()
}

/** No read check: for the worker. */
export function findById(db: Db, id: string): Promise<Document | undefined> {
  return tables(db).selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The live document of the same source. */
export function findSame(
  db: Db,
  { sourceUrl, agentId, project }: Pick<Document, 'sourceUrl' | 'agentId' | 'project'>,
): Promise<Document | undefined> {
  return tables(db)
    .selectFrom('documents')
    .selectAll()
    .where('sourceUrl', '=', sourceUrl)
    .where('agentId', '=', agentId)
    .where((eb) => eb(eb.fn.coalesce('project', eb.val('')), '=', project ?? ''))
    .where('sourceType', 'in', ['url', 'file'])
    .where('status', 'not in', ended)
    .executeTakeFirst()
}

interface Page {
  readonly status?: DocumentStatus | undefined
  readonly limit: number
  readonly offset: number
}

const matching = (db: Db, reader: Reader, status: DocumentStatus | undefined) => {
  const rows = visible(db, reader)
  return status === undefined
    ? rows.where('status', '<>', 'deleted')
    : rows.where('status', '=', status)
}

/** The newest first, without their contents. */
export async function listDocuments(db: Db, reader: Reader, page: Page) {
  const rows = await matching(db, reader, page.status)
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await matching(db, reader, page.status)
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return { documents: rows, total: Number(total) }
}

/**
 * Changes a document that is not deleted; false otherwise. With a revision, a document with other
 * content is not changed. Locks its row in a transaction.
 */
export async function changeDocument(
  db: Db,
  { id, revision }: Pick<Document, 'id'> & Partial<Pick<Document, 'revision'>>,
  set: Partial<Document> & Pick<Document, 'updatedAt'>,
): Promise<boolean> {
  const rows = tables(db)
    .updateTable('documents')
    .set(set)
    .where('id', '=', id)
    .where('status', '<>', 'deleted')
  const { numUpdatedRows } = await (revision === undefined
    ? rows
    : rows.where('revision', '=', revision)
  ).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Counts documents of all agents by status. */
export async function countByStatus(db: Db): Promise<ReadonlyMap<DocumentStatus, number>> {
  const rows = await tables(db)
    .selectFrom('documents')
    .select(['status', ({ fn }) => fn.countAll<number | string>().as('count')])
    .groupBy('status')
    .execute()
  return new Map(rows.map(({ status, count }) => [status, Number(count)]))
}

interface Sweep {
  readonly before: string
  readonly limit: number
}

/**
 * Removes the texts of documents that were deleted before a time, at most `limit` of them, and returns
 * their number. The row of a file of a connector stays, because it hides the unchanged file.
 */
export async function sweepDeleted(db: Db, { before, limit }: Sweep): Promise<number> {
  const expired = await tables(db)
    .selectFrom('documents')
    .select(['id', 'origin'])
    .where('status', '=', 'deleted')
    .where('updatedAt', '<', before)
    .where(({ eb, or }) => or([eb('origin', '=', 'api'), eb('rawContent', 'is not', null)]))
    .orderBy('updatedAt')
    .limit(limit)
    .execute()
  const { api = [], connector = [] } = Object.groupBy(expired, ({ origin }) => origin)
  if (api.length > 0)
    await tables(db).deleteFrom('documents').where('id', 'in', toIds(api)).execute()
  if (connector.length > 0)
    await tables(db)
      .updateTable('documents')
      .set({ rawContent: null, title: null, metadataJson: null, error: null })
      .where('id', 'in', toIds(connector))
      .where('status', '=', 'deleted')
      .execute()
  return expired.length
}

const toIds = (rows: readonly Pick<Document, 'id'>[]) => rows.map(({ id }) => id)

export async function hideOfAgent(db: Db, agentId: string, updatedAt: string): Promise<void> {
  await tables(db)
    .updateTable('documents')
    .set({ status: 'deleted', error: 'The agent was removed.', updatedAt })
    .where('agentId', '=', agentId)
    .where('status', '<>', 'deleted')
    .execute()
}

export async function purgeOfAgent(db: Db, agentId: string): Promise<void> {
  const own = tables(db).selectFrom('documents').select('id').where('agentId', '=', agentId)
  await tables(db).deleteFrom('documentMemories').where('documentId', 'in', own).execute()
  await tables(db).deleteFrom('documents').where('agentId', '=', agentId).execute()
}
