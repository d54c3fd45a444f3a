import { sql } from 'kysely'
import type { EvidenceChange } from '../../../kernel/capability/capability.ts'
import { deleteAgentRows } from '../../../kernel/db/agent-rows.ts'
import { compileOnce, compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { listParts } from '../../../kernel/db/insert-rows.ts'
import type { WithheldEntities } from '../../knowledge/index.ts'
import { tables } from './rows.ts'

/** An entity supports the operations on it that name no source. */
type SourceChange = Omit<EvidenceChange, 'kind'> & {
  readonly kind: EvidenceChange['kind'] | 'entity'
}

const markQuery = compileSelectOnce(
  (db, { agentId, kind, ids, lostAt }: SourceChange & { readonly lostAt: string | null }) =>
    tables(db)
      .updateTable('ontologyEvidence')
      .set({ lostAt })
      .where('sourceId', 'in', ids)
      .where('sourceKind', '=', kind)
      .where('agentId', '=', agentId)
      .returning('subjectId'),
)

/** Marks the source as forgotten or live. Returns the ids of what it supports. */
export async function markLost(
  db: Db,
  { agentId, kind, ids }: SourceChange,
  lostAt: string | null,
): Promise<string[]> {
  const subjectIds = new Set<string>()
  for (const part of listParts(ids)) {
    const rows = await markQuery(db, { agentId, kind, ids: part, lostAt })
    for (const { subjectId } of rows) subjectIds.add(subjectId)
  }
  return [...subjectIds]
}

interface Subjects {
  readonly ids: readonly string[]
}

const listLive = (db: Db, { ids }: Subjects) =>
  tables(db)
    .selectFrom('ontologyEvidence')
    .select('subjectId')
    .where('subjectId', 'in', ids)
    .where('lostAt', 'is', null)

const syncQueries = (['ontologyProposals', 'epistemicAssertions'] as const).flatMap((table) => [
  compileOnce((db, { ids }: Subjects & { readonly at: string }) =>
    tables(db)
      .updateTable(table)
      .set({ withheldAt: null })
      .where('id', 'in', listLive(db, { ids }))
      .where('withheldAt', 'is not', null),
  ),
  compileOnce((db, { ids, at }: Subjects & { readonly at: string }) =>
    tables(db)
      .updateTable(table)
      .set({ withheldAt: at })
      .where('id', 'in', ids)
      .where('id', 'not in', listLive(db, { ids })),
  ),
])

/** Hides proposals and assertions without a live source, and shows those that have one. */
export async function syncWithheld(
  db: Db,
  subjectIds: readonly string[],
  at: string,
): Promise<void> {
  for (const ids of listParts(subjectIds))
    await Promise.all(syncQueries.map((query) => db.executeQuery(query(db, { ids, at }).compile())))
}

/** Deletes the sources that are purged. Returns the ids of what they supported. */
export async function deleteSources(
  db: Db,
  { agentId, kind, ids }: SourceChange,
): Promise<string[]> {
  const subjectIds = new Set<string>()
  for (const part of listParts(ids)) {
    const rows = await tables(db)
      .deleteFrom('ontologyEvidence')
      .where('sourceId', 'in', part)
      .where('sourceKind', '=', kind)
      .where('agentId', '=', agentId)
      .returning('subjectId')
      .execute()
    for (const { subjectId } of rows) subjectIds.add(subjectId)
  }
  return [...subjectIds]
}

/** Of these, subjects with a source that is left. */
export async function listSupported(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const supported = new Set<string>()
  for (const part of listParts(ids)) {
    const rows = await tables(db)
      .selectFrom('ontologyEvidence')
      .select('subjectId')
      .where('subjectId', 'in', part)
      .execute()
    for (const { subjectId } of rows) supported.add(subjectId)
  }
  return supported
}

export async function deleteSubjects(db: Db, ids: readonly string[]): Promise<void> {
  for (const part of listParts(ids)) {
    await tables(db).deleteFrom('ontologyChanges').where('proposalId', 'in', part).execute()
    await tables(db).deleteFrom('ontologyEvidence').where('subjectId', 'in', part).execute()
    await tables(db).deleteFrom('ontologyProposals').where('id', 'in', part).execute()
    await tables(db).deleteFrom('epistemicAssertions').where('id', 'in', part).execute()
  }
}

/** Rows whose key is one id: the index leaves out the longer keys of citations and mentions. */
const hasId = sql<boolean>`substr(row_id, 1, 1) <> '['`

/** The operations that changed these rows. */
export async function listOperationsOf(db: Db, rowIds: readonly string[]) {
  const ids = new Set<string>()
  for (const part of listParts(rowIds)) {
    const rows = await tables(db)
      .selectFrom('ontologyChanges')
      .select('proposalId')
      .where('rowId', 'in', part)
      .where(hasId)
      .execute()
    for (const { proposalId } of rows) ids.add(proposalId)
  }
  return [...ids]
}

export async function deleteContradictionsOf(db: Db, ids: readonly string[]): Promise<void> {
  for (const part of listParts(ids))
    await tables(db)
      .deleteFrom('ontologyContradictions')
      .where(({ or, eb }) => or([eb('attributeId', 'in', part), eb('otherId', 'in', part)]))
      .execute()
}

/** The assertions about these entities. */
export async function listAssertionsAbout(
  db: Db,
  agentId: string,
  entityIds: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  for (const part of listParts(entityIds)) {
    const rows = await tables(db)
      .selectFrom('epistemicAssertions')
      .select('id')
      .where('agentId', '=', agentId)
      .where('subjectEntityId', 'in', part)
      .execute()
    ids.push(...rows.map(({ id }) => id))
  }
  return ids
}

/** Assertions follow their subject out of sight and back. */
export async function setSubjectWithheld(
  db: Db,
  { agentId, ids, withheldAt }: WithheldEntities,
): Promise<void> {
  for (const part of listParts(ids))
    await tables(db)
      .updateTable('epistemicAssertions')
      .set({ subjectWithheldAt: withheldAt })
      .where('agentId', '=', agentId)
      .where('subjectEntityId', 'in', part)
      .execute()
}

/** The claim values that no longer exist. */
export async function unlinkClaims(db: Db, claimIds: readonly string[]): Promise<void> {
  for (const part of listParts(claimIds))
    await tables(db)
      .updateTable('epistemicAssertions')
      .set({ claimAttributeId: null })
      .where('claimAttributeId', 'in', part)
      .execute()
}

export async function hideAgent(db: Db, agentId: string, withheldAt: string): Promise<void> {
  for (const table of ['ontologyProposals', 'epistemicAssertions'] as const)
    await tables(db).updateTable(table).set({ withheldAt }).where('agentId', '=', agentId).execute()
}

const ownedTables = [
  'ontologyProposals',
  'ontologyEvidence',
  'ontologyChanges',
  'ontologyContradictions',
  'epistemicAssertions',
] as const

export function deleteAgent(db: Db, agentId: string): Promise<void> {
  return deleteAgentRows(db, ownedTables, agentId)
}
