import type { Db } from '../../../kernel/db/database.ts'
import { insertRows } from '../../../kernel/db/insert-rows.ts'
import { type SourceName, type SourceTarget, tables } from './rows.ts'

/** Names and link targets of documents, by which links within a source are resolved. */

export async function listNamesOf(db: Db, entityIds: readonly string[]): Promise<SourceName[]> {
  return tables(db)
    .selectFrom('knowledgeSourceNames')
    .selectAll()
    .where('entityId', 'in', entityIds)
    .execute()
}

export async function insertNames(db: Db, names: readonly SourceName[]): Promise<void> {
  await insertRows(db, 'knowledgeSourceNames', names, (conflict) => conflict.doNothing())
}

export async function deleteNames(db: Db, entityIds: readonly string[]): Promise<void> {
  await tables(db).deleteFrom('knowledgeSourceNames').where('entityId', 'in', entityIds).execute()
}

export async function insertTargets(db: Db, targets: readonly SourceTarget[]): Promise<void> {
  await insertRows(db, 'knowledgeSourceTargets', targets)
}

export async function deleteTargets(db: Db, entityIds: readonly string[]): Promise<void> {
  await tables(db).deleteFrom('knowledgeSourceTargets').where('entityId', 'in', entityIds).execute()
}

export async function listTargetsOf(db: Db, entityIds: readonly string[]): Promise<SourceTarget[]> {
  return tables(db)
    .selectFrom('knowledgeSourceTargets')
    .selectAll()
    .where('entityId', 'in', entityIds)
    .execute()
}

interface NamesOfSource {
  readonly agentId: string
  readonly sourceId: string
  readonly names: readonly string[]
}

/** Documents of the source that link to one of the names. */
export async function listLinking(
  db: Db,
  { agentId, sourceId, names }: NamesOfSource,
): Promise<string[]> {
  const linking = new Set<string>()
  for (let at = 0; at < names.length; at += maxNames) {
    const some = names.slice(at, at + maxNames)
    const rows = await tables(db)
      .selectFrom('knowledgeSourceTargets')
      .select('entityId')
      .distinct()
      .where('sourceId', '=', sourceId)
      .where('agentId', '=', agentId)
      .where(({ or, eb }) => or([eb('target', 'in', some), eb('tail', 'in', some)]))
      .execute()
    for (const { entityId } of rows) linking.add(entityId)
  }
  return [...linking]
}

/** Names of one statement. */
const maxNames = 500

export async function listNamed(
  db: Db,
  { agentId, sourceId, names }: NamesOfSource,
): Promise<SourceName[]> {
  const named: SourceName[] = []
  for (let at = 0; at < names.length; at += maxNames)
    named.push(
      ...(await tables(db)
        .selectFrom('knowledgeSourceNames')
        .selectAll()
        .where('sourceId', '=', sourceId)
        .where('agentId', '=', agentId)
        .where('name', 'in', names.slice(at, at + maxNames))
        .execute()),
    )
  return named
}
