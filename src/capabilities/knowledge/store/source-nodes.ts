import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { insertRows } from '../../../kernel/db/insert-rows.ts'
import { settleAll } from '../../../kernel/db/transaction.ts'
import type { Aspect } from '../aspect.ts'
import type { Claim } from '../claim.ts'
import type { Entity } from '../entity.ts'
import type { Link } from '../link.ts'
import { type SourceNode, tables } from './rows.ts'

/** Ids of rows that source indexing writes begin with this. */
export const isNoSourceRow = (column: string) =>
  sql<SqlBool>`${sql.ref(column)} not like 'src!_%' escape '!'`

/** Saves members of a source. The creation time of existing members does not change. */
export async function upsertNodes(
  db: Db,
  entities: readonly Entity[],
  nodes: readonly SourceNode[],
): Promise<void> {
  const saved = insertRows(db, 'entities', entities, (conflict) =>
    conflict.column('id').doUpdateSet(({ ref }) => ({
      name: ref('excluded.name'),
      sourceRoot: ref('excluded.sourceRoot'),
      updatedAt: ref('excluded.updatedAt'),
    })),
  )
  await settleAll([
    saved,
    insertRows(db, 'knowledgeSourceNodes', nodes, (conflict) =>
      conflict
        .column('entityId')
        .doUpdateSet(({ ref }) => ({ generation: ref('excluded.generation') })),
    ),
  ])
}

export async function insertSections(
  db: Db,
  { aspects, claims }: { readonly aspects: readonly Aspect[]; readonly claims: readonly Claim[] },
): Promise<void> {
  await settleAll([
    insertRows(db, 'entityAspects', aspects),
    insertRows(db, 'entityAttributes', claims),
  ])
}

export async function insertLinks(db: Db, links: readonly Link[]): Promise<void> {
  await insertRows(db, 'entityDependencies', links, (conflict) => conflict.doNothing())
}

export async function deleteSections(db: Db, entityIds: readonly string[]) {
  const aspects = await countDeleted(
    tables(db).deleteFrom('entityAspects').where('entityId', 'in', entityIds),
  )
  const attributes = await countDeleted(
    tables(db).deleteFrom('entityAttributes').where('entityId', 'in', entityIds),
  )
  return { aspects, attributes }
}

/** Deletes links of the members at one end, or at both. */
export async function deleteLinks(
  db: Db,
  entityIds: readonly string[],
  { end, type }: { readonly end: LinkEnd; readonly type?: string },
): Promise<number> {
  return countDeleted(
    tables(db)
      .deleteFrom('entityDependencies')
      .where(end, 'in', entityIds)
      .$if(type !== undefined, (query) => query.where('dependencyType', '=', type ?? '')),
  )
}

type LinkEnd = 'sourceEntityId' | 'targetEntityId'

/** Deletes members with what only describes them. */
export async function deleteNodes(db: Db, entityIds: readonly string[]): Promise<number> {
  for (const [table, column] of describing)
    await tables(db)
      .deleteFrom(table as 'entityNames')
      .where(column as 'entityId', 'in', entityIds)
      .execute()
  return countDeleted(tables(db).deleteFrom('entities').where('id', 'in', entityIds))
}

const describing = [
  ['knowledgeSourceNodes', 'entityId'],
  ['knowledgeSourceNames', 'entityId'],
  ['knowledgeSourceTargets', 'entityId'],
  ['entityAliases', 'entityId'],
  ['entityNames', 'entityId'],
  ['entityNameWords', 'entityId'],
  ['memoryEntityMentions', 'entityId'],
] as const

async function countDeleted(query: {
  executeTakeFirstOrThrow(): Promise<{ readonly numDeletedRows: bigint }>
}): Promise<number> {
  return Number((await query.executeTakeFirstOrThrow()).numDeletedRows)
}

/** The ids of members, at most a number of them. */
export async function listNodeIds(
  db: Db,
  of: {
    readonly agentId: string
    readonly sourceId: string
    readonly generation?: string | undefined
    readonly limit: number
  },
): Promise<string[]> {
  const { agentId, sourceId, generation, limit } = of
  const rows = await tables(db)
    .selectFrom('knowledgeSourceNodes')
    .select('entityId')
    .where('sourceId', '=', sourceId)
    .where('agentId', '=', agentId)
    .$if(generation !== undefined, (query) => query.where('generation', '=', generation ?? ''))
    .limit(limit)
    .execute()
  return rows.map(({ entityId }) => entityId)
}

/** The members that contain these members, except documents. */
export async function listContainers(db: Db, entityIds: readonly string[]): Promise<Contained[]> {
  return tables(db)
    .selectFrom('entityDependencies as link')
    .innerJoin('knowledgeSourceNodes as node', 'node.entityId', 'link.sourceEntityId')
    .select(['node.entityId as containerId', 'link.targetEntityId as entityId'])
    .where('link.targetEntityId', 'in', entityIds)
    .where('link.dependencyType', '=', 'contains')
    .where('node.kind', '!=', 'document')
    .execute()
}

interface Contained {
  readonly entityId: string
  readonly containerId: string
}

export async function isContainer(db: Db, entityId: string): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('entityDependencies')
    .select('id')
    .where('sourceEntityId', '=', entityId)
    .where('dependencyType', '=', 'contains')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function countMembers(db: Db, agentId: string, sourceId: string) {
  const nodes = tables(db)
    .selectFrom('knowledgeSourceNodes as node')
    .where('node.sourceId', '=', sourceId)
    .where('node.agentId', '=', agentId)
  const count = async (query: { executeTakeFirstOrThrow(): Promise<{ count: number | string }> }) =>
    Number((await query.executeTakeFirstOrThrow()).count)
  const all = sql<number | string>`count(*)`.as('count')
  const newest = nodes
    .innerJoin('entities as entity', 'entity.id', 'node.entityId')
    .where('node.kind', '=', 'document')
    .orderBy('entity.updatedAt', 'desc')
    .orderBy('node.entityId')
    .select('node.entityId')
    .limit(1)
  return {
    entities: await count(nodes.select(all)),
    aspects: await count(
      nodes.innerJoin('entityAspects as row', 'row.entityId', 'node.entityId').select(all),
    ),
    attributes: await count(
      nodes.innerJoin('entityAttributes as row', 'row.entityId', 'node.entityId').select(all),
    ),
    dependencies: await count(
      nodes
        .innerJoin('entityDependencies as row', 'row.sourceEntityId', 'node.entityId')
        .select(all),
    ),
    files: await count(nodes.where('node.kind', '=', 'document').select(all)),
    latestDocumentId: (await newest.executeTakeFirst())?.entityId ?? null,
  }
}
