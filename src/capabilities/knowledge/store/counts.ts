import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

export interface ClaimCounts {
  readonly attributeCount: number
  readonly constraintCount: number
}

interface EntityCounts extends ClaimCounts {
  readonly aspectCount: number
  readonly incoming: number
  readonly outgoing: number
}

const noClaims: ClaimCounts = { attributeCount: 0, constraintCount: 0 }
const noRows: EntityCounts = { ...noClaims, aspectCount: 0, incoming: 0, outgoing: 0 }

/** Active rows of each entity: four statements for a page. */
export async function countOfEntities(
  db: Db,
  ids: readonly string[],
): Promise<(id: string) => EntityCounts> {
  if (ids.length === 0) return () => noRows
  const [claims, aspects, incoming, outgoing] = await Promise.all([
    countClaims(db, 'entityId', ids),
    countBy(db, { table: 'entityAspects', column: 'entityId', ids }),
    countBy(db, { table: 'entityDependencies', column: 'targetEntityId', ids }),
    countBy(db, { table: 'entityDependencies', column: 'sourceEntityId', ids }),
  ])
  return (id) => ({
    ...claims(id),
    aspectCount: aspects.get(id) ?? 0,
    incoming: incoming.get(id) ?? 0,
    outgoing: outgoing.get(id) ?? 0,
  })
}

/** Active claims of each entity or aspect. */
export async function countClaims(
  db: Db,
  column: 'entityId' | 'aspectId',
  ids: readonly string[],
): Promise<(id: string) => ClaimCounts> {
  if (ids.length === 0) return () => noClaims
  const rows = await tables(db)
    .selectFrom('entityAttributes')
    .select([
      `${column} as id`,
      sql<number | string>`sum(case kind when 'constraint' then 0 else 1 end)`.as('attributes'),
      sql<number | string>`sum(case kind when 'constraint' then 1 else 0 end)`.as('constraints'),
    ])
    .where(column, 'in', ids)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .groupBy(column)
    .execute()
  const counts = new Map(
    rows.map(({ id, attributes, constraints }) => [
      id,
      { attributeCount: Number(attributes), constraintCount: Number(constraints) },
    ]),
  )
  return (id) => counts.get(id) ?? noClaims
}

interface Counted {
  readonly table: 'entityAspects' | 'entityDependencies'
  readonly column: 'entityId' | 'targetEntityId' | 'sourceEntityId'
  readonly ids: readonly string[]
}

async function countBy(db: Db, { table, column, ids }: Counted): Promise<Map<string, number>> {
  const rows = await db
    .withTables<Record<string, Record<string, string | null>>>()
    .selectFrom(table)
    .select(({ fn }) => [`${column} as id`, fn.countAll<number | string>().as('count')])
    .where(column, 'in', ids)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .groupBy(column)
    .execute()
  return new Map(rows.map(({ id, count }) => [String(id), Number(count)]))
}

/** Active rows of an agent. */
export async function countGraph(db: Db, agentId: string) {
  const count = async (
    table: 'entities' | 'entityAspects' | 'entityAliases' | 'entityDependencies',
  ) => {
    const { count } = await tables(db)
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('agentId', '=', agentId)
      .where('status', '=', 'active')
      .where('withheldAt', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(count)
  }
  const claims = await tables(db)
    .selectFrom('entityAttributes')
    .select(({ fn }) => ['status', 'kind', fn.countAll<number | string>().as('count')])
    .where('agentId', '=', agentId)
    .where('withheldAt', 'is', null)
    .groupBy(['status', 'kind'])
    .execute()
  const sum = (isCounted: (row: (typeof claims)[number]) => boolean) =>
    claims.filter(isCounted).reduce((total, row) => total + Number(row.count), 0)
  return {
    entityCount: await count('entities'),
    aspectCount: await count('entityAspects'),
    aliasCount: await count('entityAliases'),
    dependencyCount: await count('entityDependencies'),
    attributeCount: sum(({ status, kind }) => status === 'active' && kind !== 'constraint'),
    constraintCount: sum(({ status, kind }) => status === 'active' && kind === 'constraint'),
    supersededCount: sum(({ status }) => status === 'superseded'),
  }
}
