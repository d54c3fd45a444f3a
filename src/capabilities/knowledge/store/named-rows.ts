import { sql } from 'kysely'
import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Aspect } from '../aspect.ts'
import type { Claim } from '../claim.ts'
import type { Entity } from '../entity.ts'
import { type Mention, tables } from './rows.ts'

/** A claim slot by the canonical names of its entity and aspect. */
export interface NamedSlot {
  readonly entity: string
  readonly aspect: string
  readonly groupKey: string
  readonly claimKey: string
}

interface Names {
  readonly agentId: string
  readonly entities: readonly string[]
  readonly aspects: readonly string[]
  readonly memoryIds: readonly string[]
}

/** Entities of requests; source indexing writes the others. */
const namedEntities = (db: Db, { agentId, entities }: Pick<Names, 'agentId' | 'entities'>) =>
  tables(db)
    .selectFrom('entities')
    .where('agentId', '=', agentId)
    .where('canonicalName', 'in', entities)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .where('sourceRoot', 'is', null)

const namedAspects = (db: Db, { aspects, ...names }: Omit<Names, 'memoryIds'>) =>
  tables(db)
    .selectFrom('entityAspects')
    .where('agentId', '=', names.agentId)
    .where('entityId', 'in', namedEntities(db, names).select('id'))
    .where('canonicalName', 'in', aspects)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)

const selectEntities = compileSelectOnce((db, names: Pick<Names, 'agentId' | 'entities'>) =>
  namedEntities(db, names).selectAll(),
)

const selectAspects = compileSelectOnce((db, names: Omit<Names, 'memoryIds'>) =>
  namedAspects(db, names).selectAll(),
)

/** Those of the names that an entity has or had, or that are aliases. */
const selectTakenNames = compileSelectOnce(
  (db, { agentId, entities }: Omit<Names, 'aspects' | 'memoryIds'>) => {
    const named = (status: 'active' | 'archived') =>
      tables(db)
        .selectFrom('entities')
        .select('canonicalName as name')
        .where('agentId', '=', agentId)
        .where('canonicalName', 'in', entities)
        .where('status', '=', status)
    const aliases = tables(db)
      .selectFrom('entityAliases')
      .select('canonicalAlias as name')
      .where('agentId', '=', agentId)
      .where('canonicalAlias', 'in', entities)
      .where('status', '=', 'active')
      .where('withheldAt', 'is', null)
    return named('active')
      .where('withheldAt', 'is', null)
      .unionAll(named('archived'))
      .unionAll(aliases)
  },
)

const selectCounts = compileSelectOnce((db, names: Omit<Names, 'memoryIds'>) =>
  tables(db)
    .selectFrom('entityAttributes')
    .select(({ fn }) => ['aspectId', fn.countAll<number | string>().as('count')])
    .where('aspectId', 'in', namedAspects(db, names).select('id'))
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .groupBy('aspectId'),
)

const selectMentions = compileSelectOnce((db, { memoryIds, ...names }: Omit<Names, 'aspects'>) =>
  tables(db)
    .selectFrom('memoryEntityMentions')
    .select(['entityId', 'memoryId'])
    .where('memoryId', 'in', memoryIds)
    .where('entityId', 'in', namedEntities(db, names).select('id')),
)

interface Slots {
  readonly agentId: string
  readonly entities: readonly string[]
  readonly aspects: readonly string[]
  readonly groupKeys: readonly string[]
  readonly claimKeys: readonly string[]
}

/**
 * Every value of the slots, the newest version first. The joins follow the names. Slots repeat, where
 * the lists are filled up.
 */
const selectValues = compileSelectOnce((db, { agentId, ...slots }: Slots) => {
  const list = slots.entities.map(
    (entity, at) =>
      sql`(${entity}, ${slots.aspects[at]}, ${slots.groupKeys[at]}, ${slots.claimKeys[at]})`,
  )
  const query = sql<Claim>`
    with named (entity, aspect, group_key, claim_key) as (values ${sql.join(list)})
    select claim.* from (select distinct * from named) as named
      cross join entities as entity cross join entity_aspects as aspect
      cross join entity_attributes as claim
    where entity.agent_id = ${agentId} and entity.canonical_name = named.entity
      and entity.status = 'active' and entity.withheld_at is null and entity.source_root is null
      and aspect.agent_id = ${agentId} and aspect.entity_id = entity.id
      and aspect.canonical_name = named.aspect
      and claim.aspect_id = aspect.id and claim.group_key = named.group_key
      and claim.claim_key = named.claim_key and claim.withheld_at is null
    order by claim.version desc, claim.id desc`
  return { compile: () => query.compile(db) }
})

interface NamedRows {
  readonly entities: readonly Entity[]
  readonly aspects: readonly Aspect[]
  readonly values: readonly Claim[]
  /** Active values of each aspect that has any. */
  readonly counts: ReadonlyMap<string, number>
  readonly mentions: readonly Pick<Mention, 'entityId' | 'memoryId'>[]
  /** Names that an entity has or had, or that are aliases. */
  readonly takenNames: ReadonlySet<string>
}

const noRows: NamedRows = {
  entities: [],
  aspects: [],
  values: [],
  counts: new Map(),
  mentions: [],
  takenNames: new Set(),
}

interface Requested {
  readonly slots: readonly NamedSlot[]
  /** Canonical names of further entities. */
  readonly names: readonly string[]
  readonly memoryIds: readonly string[]
}

function toColumns(slots: readonly NamedSlot[]): Omit<Slots, 'agentId'> {
  return {
    entities: slots.map(({ entity }) => entity),
    aspects: slots.map(({ aspect }) => aspect),
    groupKeys: slots.map(({ groupKey }) => groupKey),
    claimKeys: slots.map(({ claimKey }) => claimKey),
  }
}

/**
 * The active rows of named slots, and the links of their entities to memories, in one message. A batch
 * names at most 100 slots, so that the parameters stay far below the limit of SQLite (32,766).
 */
export async function listNamedRows(
  db: Db,
  agentId: string,
  { slots, names, memoryIds }: Requested,
): Promise<NamedRows> {
  const entities = [...new Set([...slots.map(({ entity }) => entity), ...names])]
  if (entities.length === 0) return noRows
  const aspects = [...new Set(slots.map(({ aspect }) => aspect))]
  const isOfSlots = slots.length > 0
  const [entityRows, takenNames, aspectRows, values, counts, mentions] = await Promise.all([
    selectEntities(db, { agentId, entities }),
    selectTakenNames(db, { agentId, entities }),
    isOfSlots ? selectAspects(db, { agentId, entities, aspects }) : [],
    isOfSlots ? selectValues(db, { agentId, ...toColumns(slots) }) : [],
    isOfSlots ? selectCounts(db, { agentId, entities, aspects }) : [],
    memoryIds.length === 0 ? [] : selectMentions(db, { agentId, entities, memoryIds }),
  ])
  return {
    entities: entityRows,
    aspects: aspectRows,
    values,
    counts: new Map(counts.map(({ aspectId, count }) => [aspectId, Number(count)])),
    mentions,
    takenNames: new Set(takenNames.map(({ name }) => name)),
  }
}
