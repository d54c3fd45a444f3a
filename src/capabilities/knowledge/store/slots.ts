import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Aspect } from '../aspect.ts'
import type { Claim } from '../claim.ts'
import { tables } from './rows.ts'

/** Active aspects, the heaviest first. */
export function listAspects(
  db: Db,
  agentId: string,
  { entityId, limit }: { readonly entityId: string; readonly limit: number },
): Promise<Aspect[]> {
  return tables(db)
    .selectFrom('entityAspects')
    .selectAll()
    .where('entityId', '=', entityId)
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .orderBy('weight', 'desc')
    .orderBy('canonicalName')
    .limit(limit)
    .execute()
}

/** A claim slot with its counts and those of its group. */
export interface Slot {
  readonly aspectId: string
  readonly groupKey: string
  readonly claimKey: string
  readonly attributeCount: number
  readonly constraintCount: number
  readonly activeCount: number
  readonly supersededCount: number
  readonly latestUpdatedAt: string
  /** The newest active value after its time. */
  readonly preview: string | null
  readonly groupAttributes: number
  readonly groupConstraints: number
  readonly groupClaims: number
  readonly groupUpdatedAt: string
}

interface SlotPage {
  readonly aspectIds: readonly string[]
  readonly groupKey?: string | undefined
  /** Slots of each group. */
  readonly limit: number
}

const active = sql`status = 'active'`
const countIf = (condition: ReturnType<typeof sql>) =>
  sql<number>`count(*) filter (where ${condition})`

/** Slots without archived values, the last changed of each group first. */
export async function listSlots(db: Db, page: SlotPage): Promise<Slot[]> {
  if (page.aspectIds.length === 0) return []
  const slots = tables(db)
    .selectFrom('entityAttributes')
    .select([
      'aspectId',
      'groupKey',
      'claimKey',
      countIf(sql`${active} and kind <> 'constraint'`).as('attributeCount'),
      countIf(sql`${active} and kind = 'constraint'`).as('constraintCount'),
      countIf(active).as('activeCount'),
      countIf(sql`status = 'superseded'`).as('supersededCount'),
      sql<string>`max(updated_at)`.as('latestUpdatedAt'),
      sql<string | null>`max(created_at || substr(content, 1, 160)) filter (where ${active})`.as(
        'preview',
      ),
    ])
    .where('aspectId', 'in', page.aspectIds)
    .where('status', '!=', 'deleted')
    .where('withheldAt', 'is', null)
    .$if(page.groupKey !== undefined, (query) => query.where('groupKey', '=', page.groupKey ?? ''))
    .groupBy(['aspectId', 'groupKey', 'claimKey'])
  const group = sql`over (partition by slot.aspect_id, slot.group_key)`
  const ranked = tables(db)
    .selectFrom(slots.as('slot'))
    .selectAll()
    .select([
      sql<number>`sum(slot.attribute_count) ${group}`.as('groupAttributes'),
      sql<number>`sum(slot.constraint_count) ${group}`.as('groupConstraints'),
      sql<number>`count(*) ${group}`.as('groupClaims'),
      sql<string>`max(slot.latest_updated_at) ${group}`.as('groupUpdatedAt'),
      sql<number>`row_number() over (partition by slot.aspect_id, slot.group_key
        order by slot.latest_updated_at desc, slot.claim_key)`.as('place'),
    ])
  const rows = await tables(db)
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', page.limit)
    .orderBy('groupUpdatedAt', 'desc')
    .orderBy('groupKey')
    .orderBy('place')
    .execute()
  return rows.map(({ place, ...row }) => ({
    ...row,
    attributeCount: Number(row.attributeCount),
    constraintCount: Number(row.constraintCount),
    activeCount: Number(row.activeCount),
    supersededCount: Number(row.supersededCount),
    groupAttributes: Number(row.groupAttributes),
    groupConstraints: Number(row.groupConstraints),
    groupClaims: Number(row.groupClaims),
    preview: row.preview === null ? null : row.preview.slice(isoLength),
  }))
}

const isoLength = '2026-01-01T00:00:00.000Z'.length

export interface ValuePage {
  readonly agentId: string
  readonly aspectId: string
  readonly groupKey?: string | undefined
  readonly claimKey?: string | undefined
  readonly status: 'all' | Claim['status']
  readonly kind: string | undefined
  readonly limit: number
  readonly offset: number
}

/** Values of an aspect or a slot, the newest version first. */
export function listValues(db: Db, page: ValuePage): Promise<Claim[]> {
  const { groupKey, claimKey, status, kind } = page
  return tables(db)
    .selectFrom('entityAttributes')
    .selectAll()
    .where('aspectId', '=', page.aspectId)
    .where('agentId', '=', page.agentId)
    .where('withheldAt', 'is', null)
    .$if(groupKey !== undefined, (query) => query.where('groupKey', '=', groupKey ?? ''))
    .$if(claimKey !== undefined, (query) => query.where('claimKey', '=', claimKey ?? ''))
    .$if(status !== 'all', (query) => query.where('status', '=', status as Claim['status']))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as Claim['kind']))
    .orderBy('version', 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** The best active claims of an entity. */
export function listBest(
  db: Db,
  agentId: string,
  page: {
    readonly entityId: string
    readonly aspectId?: string | undefined
    readonly limit: number
  },
): Promise<Claim[]> {
  const { aspectId } = page
  return tables(db)
    .selectFrom('entityAttributes')
    .selectAll()
    .where('entityId', '=', page.entityId)
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .$if(aspectId !== undefined, (query) => query.where('aspectId', '=', aspectId ?? ''))
    .orderBy('importance', 'desc')
    .orderBy('id')
    .limit(page.limit)
    .execute()
}
