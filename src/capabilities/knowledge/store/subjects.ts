import type { Db } from '../../../kernel/db/database.ts'
import type { Entity } from '../entity.ts'
import { toCanonicalName } from '../name.ts'
import { listNamed } from './entities.ts'
import { tables } from './rows.ts'

/** Merges that follow each other. */
const maxMerges = 8
const reasonPrefix = 'merged into '

/** The reason of an archived source, by which a repeated merge is recognized. */
export function mergeReason({ id }: Pick<Entity, 'id'>): string {
  return `${reasonPrefix}${id}`
}

/**
 * The entities that texts of another capability are about, by the ids that these texts contain. A
 * merged entity is its target; a withheld one is absent.
 */
export async function readSubjects(
  db: Db,
  agentId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<Entity, 'id' | 'name'>>> {
  const rows = new Map<string, Subject>()
  let remainingIds = [...new Set(ids)]
  for (let step = 0; step < maxMerges && remainingIds.length > 0; step++) {
    for (const row of await listByIds(db, agentId, remainingIds)) rows.set(row.id, row)
    const targets = remainingIds.flatMap((id) => targetOf(rows.get(id)) ?? [])
    remainingIds = [...new Set(targets)].filter((id) => !rows.has(id))
  }
  const resolved = ids.flatMap((id) => {
    const row = follow(rows, id)
    return row ? [[id, { id: row.id, name: row.name }] as const] : []
  })
  return new Map(resolved)
}

type Subject = Pick<Entity, 'id' | 'name' | 'status' | 'archiveReason'>

function follow(rows: ReadonlyMap<string, Subject>, id: string): Subject | undefined {
  let row = rows.get(id)
  for (let step = 0; step < maxMerges; step++) {
    const target = targetOf(row)
    if (target === undefined) return row
    row = rows.get(target)
  }
  return undefined
}

function targetOf(row: Subject | undefined): string | undefined {
  if (row?.status !== 'archived' || !row.archiveReason?.startsWith(reasonPrefix)) return undefined
  return row.archiveReason.slice(reasonPrefix.length)
}

function listByIds(db: Db, agentId: string, ids: readonly string[]): Promise<Subject[]> {
  return tables(db)
    .selectFrom('entities')
    .select(['id', 'name', 'status', 'archiveReason'])
    .where('id', 'in', ids)
    .where('agentId', '=', agentId)
    .where('withheldAt', 'is', null)
    .execute()
}

/** The entities and those that were merged into them. */
export async function listWithMerged(
  db: Db,
  agentId: string,
  entityIds: readonly string[],
): Promise<string[]> {
  const ids = new Set(entityIds)
  let targets = [...ids]
  for (let step = 0; step < maxMerges && targets.length > 0; step++) {
    const rows = await tables(db)
      .selectFrom('entities')
      .select('id')
      .where('agentId', '=', agentId)
      .where('status', '=', 'archived')
      .where(
        'archiveReason',
        'in',
        targets.map((target) => mergeReason({ id: target })),
      )
      .execute()
    targets = rows.map((row) => row.id).filter((merged) => !ids.has(merged))
    for (const merged of targets) ids.add(merged)
  }
  return [...ids]
}

const rowTables = {
  entity: 'entities',
  aspect: 'entityAspects',
  attribute: 'entityAttributes',
  link: 'entityDependencies',
} as const

/** Whether an agent has a row that is not withheld, by `kind:id`; an entity also by its canonical name. */
export async function hasSubject(db: Db, agentId: string, ref: string): Promise<boolean> {
  const [, kind = '', id = ''] = /^(\w+):\s*(.*)$/s.exec(ref) ?? []
  const table = Object.entries(rowTables).find(([name]) => name === kind)?.[1]
  const isNamed = kind === 'entity' || kind === 'duplicate'
  const row =
    table &&
    (await tables(db)
      .selectFrom(table as 'entities')
      .select('id')
      .where('id', '=', id)
      .where('agentId', '=', agentId)
      .where('withheldAt', 'is', null)
      .executeTakeFirst())
  if (row || !isNamed) return row !== undefined
  const named = await listNamed(db, agentId, toCanonicalName(id))
  return named.length > 0
}

/** A claim value with the name of what it is about. */
interface VisibleClaim {
  readonly id: string
  readonly content: string
  readonly groupKey: string
  readonly claimKey: string
  readonly entityName: string
}

/** Those of the claim values that are not withheld. */
export async function listVisibleClaims(
  db: Db,
  agentId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, VisibleClaim>> {
  if (ids.length === 0) return new Map()
  const rows = await tables(db)
    .selectFrom('entityAttributes')
    .innerJoin('entities', 'entities.id', 'entityAttributes.entityId')
    .select([
      'entityAttributes.id',
      'entityAttributes.content',
      'entityAttributes.groupKey',
      'entityAttributes.claimKey',
      'entities.name as entityName',
    ])
    .where('entityAttributes.id', 'in', [...new Set(ids)])
    .where('entityAttributes.agentId', '=', agentId)
    .where('entityAttributes.withheldAt', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
