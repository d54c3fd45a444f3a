import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Citation, Claim, SubjectType } from '../claim.ts'
import type { Link } from '../link.ts'
import { tables } from './rows.ts'

export interface SlotKey {
  readonly aspectId: string
  readonly groupKey: string
  readonly claimKey: string
}

const claims = (db: Db, agentId: string) =>
  tables(db)
    .selectFrom('entityAttributes')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('withheldAt', 'is', null)

/** In any status. */
export function findClaim(db: Db, agentId: string, id: string): Promise<Claim | undefined> {
  return claims(db, agentId).where('id', '=', id).executeTakeFirst()
}

/** Every value of a slot, the newest version first. */
export function listSlot(db: Db, agentId: string, slot: SlotKey): Promise<Claim[]> {
  return claims(db, agentId)
    .where('aspectId', '=', slot.aspectId)
    .where('groupKey', '=', slot.groupKey)
    .where('claimKey', '=', slot.claimKey)
    .orderBy('version', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Counts withheld values too, so that a version is never given twice. */
export async function findMaxVersion(db: Db, slot: SlotKey): Promise<number> {
  const row = await tables(db)
    .selectFrom('entityAttributes')
    .select(({ fn }) => fn.max('version').as('version'))
    .where('aspectId', '=', slot.aspectId)
    .where('groupKey', '=', slot.groupKey)
    .where('claimKey', '=', slot.claimKey)
    .executeTakeFirst()
  return row?.version ?? 0
}

/** Of an entity, or of one of its aspects; in any status. */
export function listClaims(
  db: Db,
  agentId: string,
  of: { readonly entityId: string } | { readonly aspectId: string },
): Promise<Claim[]> {
  const all = claims(db, agentId)
  const query =
    'aspectId' in of
      ? all.where('aspectId', '=', of.aspectId)
      : all.where('entityId', '=', of.entityId)
  return query.orderBy('id').execute()
}

export async function countActiveClaims(db: Db, aspectId: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('entityAttributes')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('aspectId', '=', aspectId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const links = (db: Db, agentId: string) =>
  tables(db).selectFrom('entityDependencies').selectAll().where('agentId', '=', agentId)

/** In any status. */
export function findLink(db: Db, agentId: string, id: string): Promise<Link | undefined> {
  return links(db, agentId).where('id', '=', id).where('withheldAt', 'is', null).executeTakeFirst()
}

type Triple = Pick<Link, 'sourceEntityId' | 'targetEntityId' | 'dependencyType'>

/** Archived and withheld links too: their triples are taken. */
export function findAnyLink(db: Db, agentId: string, triple: Triple): Promise<Link | undefined> {
  return links(db, agentId)
    .where('sourceEntityId', '=', triple.sourceEntityId)
    .where('targetEntityId', '=', triple.targetEntityId)
    .where('dependencyType', '=', triple.dependencyType)
    .executeTakeFirst()
}

/** Active links from and to an entity. */
export function listLinks(db: Db, agentId: string, entityId: string): Promise<Link[]> {
  const active = links(db, agentId).where('status', '=', 'active').where('withheldAt', 'is', null)
  const incoming = active
    .where('targetEntityId', '=', entityId)
    .where('sourceEntityId', '!=', entityId)
  return active.where('sourceEntityId', '=', entityId).unionAll(incoming).execute()
}

interface Subjects {
  readonly subjectType: SubjectType
  readonly subjectIds: readonly string[]
}

const selectCitations = compileSelectOnce((db, { subjectType, subjectIds }: Subjects) =>
  tables(db)
    .selectFrom('knowledgeCitations')
    .selectAll()
    .where('subjectType', '=', subjectType)
    .where('subjectId', 'in', subjectIds)
    .orderBy('createdAt')
    .orderBy('sourceTime'),
)

/** Lost citations too. */
export async function listCitations(
  db: Db,
  subjectType: SubjectType,
  subjectIds: readonly string[],
): Promise<Citation[]> {
  return subjectIds.length === 0 ? [] : selectCitations(db, { subjectType, subjectIds })
}
