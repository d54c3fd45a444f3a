import type { Db } from '../../../kernel/db/database.ts'
import { type SourceName, type SourceTarget, tables } from './rows.ts'

/** Names and link targets of documents, by which links within a source are resolved. */

export async function listNamesOf(db: Db, entityId: string): Promise<SourceName[]> {
  return tables(db)
    .selectFrom('knowledgeSourceNames')
    .selectAll()
    .where('entityId', '=', entityId)
    .execute()
}

export async function replaceNames(
  db: Db,
  entityId: string,
  names: readonly SourceName[],
): Promise<void> {
  await tables(db).deleteFrom('knowledgeSourceNames').where('entityId', '=', entityId).execute()
  if (names.length > 0)
    await tables(db)
      .insertInto('knowledgeSourceNames')
      .values(names)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

export async function replaceTargets(
  db: Db,
  entityId: string,
  targets: readonly SourceTarget[],
): Promise<void> {
  await tables(db).deleteFrom('knowledgeSourceTargets').where('entityId', '=', entityId).execute()
  if (targets.length > 0)
    await tables(db).insertInto('knowledgeSourceTargets').values(targets).execute()
}

export async function listTargetsOf(db: Db, entityId: string): Promise<SourceTarget[]> {
  return tables(db)
    .selectFrom('knowledgeSourceTargets')
    .selectAll()
    .where('entityId', '=', entityId)
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
  if (names.length === 0) return []
  const rows = await tables(db)
    .selectFrom('knowledgeSourceTargets')
    .select('entityId')
    .distinct()
    .where('sourceId', '=', sourceId)
    .where('agentId', '=', agentId)
    .where(({ or, eb }) => or([eb('target', 'in', names), eb('tail', 'in', names)]))
    .execute()
  return rows.map(({ entityId }) => entityId)
}

export async function listNamed(
  db: Db,
  { agentId, sourceId, names }: NamesOfSource,
): Promise<SourceName[]> {
  if (names.length === 0) return []
  return tables(db)
    .selectFrom('knowledgeSourceNames')
    .selectAll()
    .where('sourceId', '=', sourceId)
    .where('agentId', '=', agentId)
    .where('name', 'in', names)
    .execute()
}
