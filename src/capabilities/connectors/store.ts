import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Connector } from './connector.ts'

type Tables = { connectors: Connector }
type Reader = Pick<Caller, 'agentId' | 'scope'>

const tables = (db: Db) => db.withTables<Tables>()

const visible = (db: Db, { agentId, scope: { project } }: Reader) => {
  const rows = tables(db).selectFrom('connectors').where('agentId', '=', agentId)
  return project === undefined ? rows : rows.where('project', '=', project)
}

export async function insertConnector(db: Db, connector: Connector): Promise<void> {
  await tables(db).insertInto('connectors').values(connector).execute()
}

/** The newest first. */
export function listConnectors(db: Db, reader: Reader): Promise<Connector[]> {
  return visible(db, reader)
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export function findConnector(db: Db, reader: Reader, id: string): Promise<Connector | undefined> {
  return visible(db, reader).selectAll().where('id', '=', id).executeTakeFirst()
}

/** No read check: for the job. */
export function findById(db: Db, id: string): Promise<Connector | undefined> {
  return tables(db).selectFrom('connectors').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Changes a connector that is not being deleted; false otherwise. Locks its row. */
export async function changeConnector(
  db: Db,
  id: string,
  set: Partial<Connector> & Pick<Connector, 'updatedAt'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('connectors')
    .set(set)
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks a connector whose sync is not running as syncing. False while it is. */
export async function beginSync(
  db: Db,
  id: string,
  set: Partial<Connector> & Pick<Connector, 'updatedAt'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('connectors')
    .set({ ...set, status: 'syncing', lastError: null })
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .where('status', '<>', 'syncing')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A daemon that ended during a sync left these behind. */
export async function resetSyncing(db: Db, updatedAt: string): Promise<void> {
  await tables(db)
    .updateTable('connectors')
    .set({ status: 'idle', updatedAt })
    .where('status', '=', 'syncing')
    .execute()
}

/** Deletes a connector; false for one that does not exist. */
export async function deleteConnector(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('connectors')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countByStatus(db: Db): Promise<ReadonlyMap<Connector['status'], number>> {
  const rows = await tables(db)
    .selectFrom('connectors')
    .select(['status', ({ fn }) => fn.countAll<number | string>().as('count')])
    .groupBy('status')
    .execute()
  return new Map(rows.map(({ status, count }) => [status, Number(count)]))
}

/** The connector whose sync failed first, and has not succeeded since. */
export function findOldestFailed(db: Db): Promise<Pick<Connector, 'id' | 'updatedAt'> | undefined> {
  return tables(db)
    .selectFrom('connectors')
    .select(['id', 'updatedAt'])
    .where('status', '=', 'error')
    .orderBy('updatedAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function disableOfAgent(db: Db, agentId: string, updatedAt: string): Promise<void> {
  await tables(db)
    .updateTable('connectors')
    .set({ enabled: 0, status: 'idle', updatedAt })
    .where('agentId', '=', agentId)
    .execute()
}

export async function purgeOfAgent(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('connectors').where('agentId', '=', agentId).execute()
}
