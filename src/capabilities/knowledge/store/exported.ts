import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'
import { isNoSourceRow } from './source-nodes.ts'

/** In the order of an export: each row refers to earlier ones only. */
export const exportedKinds = ['entity', 'alias', 'aspect', 'value', 'link'] as const
export type ExportedKind = (typeof exportedKinds)[number]

export interface ExportPage {
  readonly agentId: string
  /** Rows after this id. Empty for the first page. */
  readonly after: string
  readonly limit: number
}

interface ExportedRow {
  readonly id: string
}

type ListRows = (db: Db, page: ExportPage) => Promise<readonly ExportedRow[]>

const listRows: Readonly<Record<ExportedKind, ListRows>> = {
  entity: (db, { agentId, after, limit }) =>
    tables(db)
      .selectFrom('entities')
      .select(['id', 'name', 'entityType', 'description', 'pinned', 'createdAt'])
      .where('agentId', '=', agentId)
      .where('status', '=', 'active')
      .where('withheldAt', 'is', null)
      .where('sourceRoot', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  alias: (db, { agentId, after, limit }) =>
    tables(db)
      .selectFrom('entityAliases as row')
      .innerJoin('entities as entity', 'entity.id', 'row.entityId')
      .where('row.agentId', '=', agentId)
      .where('row.withheldAt', 'is', null)
      .where('entity.status', '=', 'active')
      .where('entity.withheldAt', 'is', null)
      .select(['row.id', 'entity.name as entity', 'alias', 'confidence', 'source'])
      .where('row.status', '=', 'active')
      .where('row.id', '>', after)
      .where(isNoSourceRow('row.id'))
      .orderBy('row.id')
      .limit(limit)
      .execute(),
  aspect: (db, { agentId, after, limit }) =>
    tables(db)
      .selectFrom('entityAspects as row')
      .innerJoin('entities as entity', 'entity.id', 'row.entityId')
      .where('row.agentId', '=', agentId)
      .where('row.withheldAt', 'is', null)
      .where('entity.status', '=', 'active')
      .where('entity.withheldAt', 'is', null)
      .select(['row.id', 'entity.name as entity', 'row.name as aspect', 'weight'])
      .where('row.status', '=', 'active')
      .where('row.id', '>', after)
      .where(isNoSourceRow('row.id'))
      .orderBy('row.id')
      .limit(limit)
      .execute(),
  value: (db, { agentId, after, limit }) =>
    tables(db)
      .selectFrom('entityAttributes as row')
      .innerJoin('entities as entity', 'entity.id', 'row.entityId')
      .where('row.agentId', '=', agentId)
      .where('row.withheldAt', 'is', null)
      .where('entity.status', '=', 'active')
      .where('entity.withheldAt', 'is', null)
      .innerJoin('entityAspects as aspect', 'aspect.id', 'row.aspectId')
      .select(['row.id', 'entity.name as entity', 'aspect.name as aspect', 'groupKey', 'claimKey'])
      .select(['content as value', 'kind', 'mode', 'row.confidence', 'importance', 'version'])
      .select(['row.pinned', 'row.status', 'assertedAt', 'reviewAfter'])
      .where('row.status', '!=', 'deleted')
      .where('aspect.status', '=', 'active')
      .where('row.id', '>', after)
      .where(isNoSourceRow('row.id'))
      .orderBy('row.id')
      .limit(limit)
      .execute(),
  link: (db, { agentId, after, limit }) =>
    tables(db)
      .selectFrom('entityDependencies as row')
      .innerJoin('entities as source', 'source.id', 'row.sourceEntityId')
      .innerJoin('entities as target', 'target.id', 'row.targetEntityId')
      .select(['row.id', 'source.name as sourceEntity', 'target.name as targetEntity'])
      .select(['dependencyType as linkType', 'strength', 'confidence', 'reason'])
      .where('row.agentId', '=', agentId)
      .where('row.status', '=', 'active')
      .where('row.withheldAt', 'is', null)
      .where('source.status', '=', 'active')
      .where('target.status', '=', 'active')
      .where('row.id', '>', after)
      .where(isNoSourceRow('row.id'))
      .orderBy('row.id')
      .limit(limit)
      .execute(),
}

export function listExported(db: Db, kind: ExportedKind, page: ExportPage) {
  return listRows[kind](db, page)
}

/** Live citations of rows of a page, the oldest first. */
export function listExportedCitations(
  db: Db,
  agentId: string,
  of: { readonly kind: ExportedKind; readonly ids: readonly string[] },
) {
  const subjectType = of.kind === 'value' ? 'claim' : of.kind
  if (subjectType === 'alias' || of.ids.length === 0) return Promise.resolve([])
  return tables(db)
    .selectFrom('knowledgeCitations')
    .select(['subjectId', 'sourceKind', 'sourceId', 'quote'])
    .where('subjectType', '=', subjectType)
    .where('subjectId', 'in', of.ids)
    .where('agentId', '=', agentId)
    .where('lostAt', 'is', null)
    .orderBy('sourceTime')
    .orderBy('sourceId')
    .execute()
}
