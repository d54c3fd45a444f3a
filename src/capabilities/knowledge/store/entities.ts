import { type Db, engineOf } from '../../../kernel/db/database.ts'
import type { Aspect } from '../aspect.ts'
import type { Alias, Entity } from '../entity.ts'
import { tables } from './rows.ts'

/** Neither archived nor withheld. */
const live = (db: Db, agentId: string) =>
  tables(db)
    .selectFrom('entities')
    .selectAll('entities')
    .where('entities.agentId', '=', agentId)
    .where('entities.status', '=', 'active')
    .where('entities.withheldAt', 'is', null)

/** Whether other daemons write to the database without notice. */
export function isShared(db: Db): boolean {
  return engineOf(db) === 'postgres'
}

/** Whether the agent has any entity, of any status. */
export async function hasEntities(db: Db, agentId: string): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('entities')
    .select('id')
    .where('agentId', '=', agentId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function findEntity(db: Db, agentId: string, id: string): Promise<Entity | undefined> {
  return live(db, agentId).where('entities.id', '=', id).executeTakeFirst()
}

/** Prefers an entity of a request to one of source indexing. */
export function listNamed(db: Db, agentId: string, canonicalName: string): Promise<Entity[]> {
  return live(db, agentId)
    .where('entities.canonicalName', '=', canonicalName)
    .orderBy((eb) => eb.case().when('sourceRoot', 'is', null).then(0).else(1).end())
    .orderBy('entities.mentions', 'desc')
    .limit(2)
    .execute()
}

export function findByAlias(
  db: Db,
  agentId: string,
  canonicalAlias: string,
): Promise<Entity | undefined> {
  return live(db, agentId)
    .innerJoin('entityAliases as alias', 'alias.entityId', 'entities.id')
    .where('alias.agentId', '=', agentId)
    .where('alias.canonicalAlias', '=', canonicalAlias)
    .where('alias.status', '=', 'active')
    .where('alias.withheldAt', 'is', null)
    .executeTakeFirst()
}

/** Active entities by those of the canonical names that they have as a name or an alias. */
export async function listByNames(
  db: Db,
  agentId: string,
  canonicalNames: readonly string[],
): Promise<ReadonlyMap<string, Pick<Entity, 'id' | 'name'>>> {
  if (canonicalNames.length === 0) return new Map()
  const named = await live(db, agentId)
    .clearSelect()
    .select(['entities.id', 'entities.name', 'entities.canonicalName as phrase'])
    .where('entities.canonicalName', 'in', canonicalNames)
    .orderBy((eb) => eb.case().when('sourceRoot', 'is', null).then(1).else(0).end())
    .execute()
  const aliases = await live(db, agentId)
    .innerJoin('entityAliases as alias', 'alias.entityId', 'entities.id')
    .clearSelect()
    .select(['entities.id', 'entities.name', 'alias.canonicalAlias as phrase'])
    .where('alias.agentId', '=', agentId)
    .where('alias.canonicalAlias', 'in', canonicalNames)
    .where('alias.status', '=', 'active')
    .where('alias.withheldAt', 'is', null)
    .execute()
  return new Map([...aliases, ...named].map(({ phrase, id, name }) => [phrase, { id, name }]))
}

/** The archived entity of a name, the last archived first. */
export function findArchived(
  db: Db,
  agentId: string,
  by: { readonly canonicalName: string } | { readonly id: string },
): Promise<Entity | undefined> {
  const archived = tables(db)
    .selectFrom('entities')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('status', '=', 'archived')
    .where('withheldAt', 'is', null)
  const query =
    'id' in by
      ? archived.where('id', '=', by.id)
      : archived.where('canonicalName', '=', by.canonicalName).where('sourceRoot', 'is', null)
  return query.orderBy('archivedAt', 'desc').executeTakeFirst()
}

/** Without withheld aliases. */
export function listAliases(db: Db, agentId: string, entityId: string): Promise<Alias[]> {
  return tables(db)
    .selectFrom('entityAliases')
    .selectAll()
    .where('entityId', '=', entityId)
    .where('agentId', '=', agentId)
    .where('withheldAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Archived and withheld aspects too: their names are taken. */
export function findAnyAspect(
  db: Db,
  entityId: string,
  canonicalName: string,
): Promise<Aspect | undefined> {
  return tables(db)
    .selectFrom('entityAspects')
    .selectAll()
    .where('entityId', '=', entityId)
    .where('canonicalName', '=', canonicalName)
    .executeTakeFirst()
}

export function findAspect(
  db: Db,
  agentId: string,
  { entityId, ...by }: { readonly entityId: string } & ({ id: string } | { canonicalName: string }),
): Promise<Aspect | undefined> {
  const aspects = tables(db)
    .selectFrom('entityAspects')
    .selectAll()
    .where('entityId', '=', entityId)
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
  const query =
    'id' in by
      ? aspects.where('id', '=', by.id)
      : aspects.where('canonicalName', '=', by.canonicalName)
  return query.executeTakeFirst()
}

/** Every aspect that is not withheld, archived ones too. */
export function listAllAspects(db: Db, agentId: string, entityId: string): Promise<Aspect[]> {
  return tables(db)
    .selectFrom('entityAspects')
    .selectAll()
    .where('entityId', '=', entityId)
    .where('agentId', '=', agentId)
    .where('withheldAt', 'is', null)
    .execute()
}

export async function countActiveAspects(db: Db, entityId: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('entityAspects')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('entityId', '=', entityId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
