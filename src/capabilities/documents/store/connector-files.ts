import type { Db } from '../../../kernel/db/database.ts'
import type { Document } from '../document.ts'
import { tables } from './documents.ts'

/** The folder whose files become documents. */
export interface FileOwner {
  readonly id: string
  readonly agentId: string
  readonly project: string | null
}

export type StoredFile = Pick<Document, 'id' | 'agentId' | 'project' | 'title'> & {
  readonly path: string
}
export type FileState = Pick<Document, 'id' | 'status' | 'contentHash'>

export interface FilePage {
  /** The absolute path of the folder, with a separator at its end. */
  readonly folder: string
  readonly after: string
  readonly limit: number
  /** Only documents of this connector; by default those of each one. */
  readonly connectorId?: string
}

const filesOf = (db: Db, { agentId, project }: Omit<FileOwner, 'id'>) =>
  tables(db)
    .selectFrom('documents')
    .where('agentId', '=', agentId)
    .where('project', project === null ? 'is' : '=', project)
    .where('origin', '=', 'connector')

/** The document of a path that is neither deleted nor replaced by a live one. */
export function findConnectorFile(
  db: Db,
  owner: FileOwner,
  path: string,
): Promise<Document | undefined> {
  return filesOf(db, owner)
    .selectAll()
    .where('sourceUrl', '=', path)
    .where('status', '<>', 'deleted')
    .orderBy(({ eb }) => eb.case().when('status', '=', 'failed').then(1).else(0).end())
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest documents of these paths, by path. */
export async function listConnectorFiles(
  db: Db,
  owner: FileOwner,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileState>> {
  if (paths.length === 0) return new Map()
  const rows = await filesOf(db, owner)
    .select(['id', 'status', 'contentHash', 'sourceUrl'])
    .where('sourceUrl', 'in', [...paths])
    .orderBy('createdAt')
    .execute()
  return new Map(rows.map(({ sourceUrl, ...state }) => [String(sourceUrl), state]))
}

/** Live documents below a folder, in order of their ids. */
export async function listFilesUnder(
  db: Db,
  owner: Omit<FileOwner, 'id'>,
  { folder, after, limit, connectorId }: FilePage,
): Promise<readonly StoredFile[]> {
  const live = filesOf(db, owner)
    .select(['id', 'agentId', 'project', 'title', 'sourceUrl'])
    .where('status', '<>', 'deleted')
    .where(({ eb, fn, val }) =>
      eb(fn('substr', ['sourceUrl', val(1), val([...folder].length)]), '=', folder),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
  const rows = await (connectorId === undefined
    ? live
    : live.where('connectorId', '=', connectorId)
  ).execute()
  return rows.map(({ sourceUrl, ...row }) => ({ ...row, path: String(sourceUrl) }))
}

/** Another revision: a run that reads the content before writes nothing more. */
export async function replaceContent(
  db: Db,
  { id, ...content }: Pick<Document, 'id' | 'contentHash' | 'rawContent' | 'updatedAt'>,
): Promise<void> {
  await tables(db)
    .updateTable('documents')
    .set(({ eb }) => ({
      ...content,
      encoding: 'base64',
      status: 'queued',
      error: null,
      completedAt: null,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', id)
    .where('status', '<>', 'deleted')
    .execute()
}

export async function countOfConnector(db: Db, connectorId: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('documents')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('connectorId', '=', connectorId)
    .where('origin', '=', 'connector')
    .where('status', '<>', 'deleted')
    .executeTakeFirstOrThrow()
  return Number(count)
}
