import type { EvidenceChange } from '../../../kernel/capability/capability.ts'
import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Citation, SubjectType } from '../claim.ts'
import { type Tables, tables } from './rows.ts'

type SubjectTable = 'entities' | 'entityAspects' | 'entityAttributes' | 'entityDependencies'

export type Subject = Pick<Citation, 'subjectType' | 'subjectId'>

interface Mark extends EvidenceChange {
  readonly lostAt: string | null
}

const markCited = compileSelectOnce((db, { agentId, kind, ids, lostAt }: Mark) =>
  tables(db)
    .updateTable('knowledgeCitations')
    .set({ lostAt })
    .where('sourceId', 'in', ids)
    .where('sourceKind', '=', kind)
    .where('agentId', '=', agentId)
    .returning(['subjectType', 'subjectId']),
)

/** Marks the citations of the evidence as lost or found. Returns the rows that they support. */
export async function markCitations(
  db: Db,
  { agentId, kind, ids }: EvidenceChange,
  lostAt: string | null,
): Promise<Subject[]> {
  return distinct(await markCited(db, { agentId, kind, ids, lostAt }))
}

/** Deletes the citations of purged evidence. Returns the rows that they supported. */
export async function deleteCitations(
  db: Db,
  { agentId, kind, ids }: EvidenceChange,
): Promise<Subject[]> {
  const rows = await tables(db)
    .deleteFrom('knowledgeCitations')
    .where('sourceId', 'in', ids)
    .where('sourceKind', '=', kind)
    .where('agentId', '=', agentId)
    .returning(['subjectType', 'subjectId'])
    .execute()
  return distinct(rows)
}

function distinct(rows: readonly Subject[]): Subject[] {
  return [...new Map(rows.map((row) => [`${row.subjectType} ${row.subjectId}`, row])).values()]
}

const markMentioned = compileSelectOnce((db, { agentId, ids, lostAt }: Omit<Mark, 'kind'>) =>
  tables(db)
    .updateTable('memoryEntityMentions')
    .set({ lostAt })
    .where('memoryId', 'in', ids)
    .where('agentId', '=', agentId)
    .returning('entityId'),
)

/** Marks the mentions of memories. Returns their entities. */
export async function markMentions(
  db: Db,
  { agentId, ids }: EvidenceChange,
  lostAt: string | null,
): Promise<string[]> {
  const rows = await markMentioned(db, { agentId, ids, lostAt })
  return [...new Set(rows.map(({ entityId }) => entityId))]
}

export async function deleteMentions(db: Db, { agentId, ids }: EvidenceChange): Promise<string[]> {
  const rows = await tables(db)
    .deleteFrom('memoryEntityMentions')
    .where('memoryId', 'in', ids)
    .where('agentId', '=', agentId)
    .returning('entityId')
    .execute()
  return [...new Set(rows.map(({ entityId }) => entityId))]
}

/** Those of the rows that have a citation, live or lost. */
export async function listSupported(
  db: Db,
  { type, ids }: { readonly type: SubjectType; readonly ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tables(db)
    .selectFrom('knowledgeCitations')
    .select('subjectId')
    .distinct()
    .where('subjectId', 'in', ids)
    .where('subjectType', '=', type)
    .execute()
  return new Set(rows.map(({ subjectId }) => subjectId))
}

/** Hides rows, or shows them again. */
export async function setWithheld(
  db: Db,
  table: SubjectTable | 'entityAliases',
  { ids, withheldAt }: { readonly ids: readonly string[]; readonly withheldAt: string | null },
): Promise<void> {
  if (ids.length === 0) return
  await tables(db)
    .updateTable(table as 'entities')
    .set({ withheldAt })
    .where('id', 'in', ids)
    .execute()
}

/** The rows in any state, withheld ones too. */
export function listAny<Name extends SubjectTable>(db: Db, table: Name, ids: readonly string[]) {
  return listBy(db, table, 'id', ids)
}

/** Rows of a table whose column has one of the values, in any state. */
export async function listBy<Name extends SubjectTable | 'entityAliases'>(
  db: Db,
  table: Name,
  column: 'id' | 'entityId' | 'aspectId' | 'sourceEntityId' | 'targetEntityId',
  values: readonly string[],
) {
  if (values.length === 0) return []
  const rows = await db
    .withTables<Record<string, Record<string, unknown>>>()
    .selectFrom<string>(table)
    .selectAll()
    .where(column, 'in', values)
    .execute()
  return rows as unknown as Tables[Name][]
}

/** Those of the entities or aspects that hold any row at all. */
export async function listOwners(
  db: Db,
  column: 'entityId' | 'aspectId',
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const claims = await listBy(db, 'entityAttributes', column, ids)
  if (column === 'aspectId') return new Set(claims.map((row) => row[column]))
  const aspects = await listBy(db, 'entityAspects', 'entityId', ids)
  const sources = await listBy(db, 'entityDependencies', 'sourceEntityId', ids)
  const targets = await listBy(db, 'entityDependencies', 'targetEntityId', ids)
  return new Set([
    ...claims.map(({ entityId }) => entityId),
    ...aspects.map(({ entityId }) => entityId),
    ...sources.map(({ sourceEntityId }) => sourceEntityId),
    ...targets.map(({ targetEntityId }) => targetEntityId),
  ])
}

/** Claims with a live private source are private. */
export async function refreshVisibility(
  db: Db,
  table: 'entityAttributes' | 'entityDependencies',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const type = table === 'entityAttributes' ? 'claim' : 'link'
  const rows = await tables(db)
    .selectFrom('knowledgeCitations')
    .select(['subjectId', 'visibility'])
    .where('subjectId', 'in', ids)
    .where('subjectType', '=', type)
    .where('lostAt', 'is', null)
    .execute()
  const privateIds = new Set(
    rows.filter(({ visibility }) => visibility === 'private').map(({ subjectId }) => subjectId),
  )
  for (const visibility of ['private', 'global'] as const) {
    const chosen = ids.filter((id) => privateIds.has(id) === (visibility === 'private'))
    if (chosen.length > 0)
      await tables(db)
        .updateTable(table as 'entityAttributes')
        .set({ visibility })
        .where('id', 'in', chosen)
        .where('visibility', '!=', visibility)
        .execute()
  }
}

/** Deletes rows with what belongs to them alone. */
export async function eraseRows(
  db: Db,
  table: SubjectTable,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await tables(db)
    .deleteFrom(table as 'entities')
    .where('id', 'in', ids)
    .execute()
  await tables(db).deleteFrom('knowledgeCitations').where('subjectId', 'in', ids).execute()
  if (table !== 'entities') return
  await tables(db).deleteFrom('memoryEntityMentions').where('entityId', 'in', ids).execute()
  await tables(db).deleteFrom('entityAliases').where('entityId', 'in', ids).execute()
  await tables(db).deleteFrom('entityNames').where('entityId', 'in', ids).execute()
  await tables(db).deleteFrom('entityNameWords').where('entityId', 'in', ids).execute()
}

/** The derived memories no longer exist. */
export async function clearMemoryIds(db: Db, ids: readonly string[]): Promise<void> {
  await tables(db)
    .updateTable('entityAttributes')
    .set({ memoryId: null })
    .where('id', 'in', ids)
    .execute()
}
