import { type SqlBool, sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import type { Assertion } from '../assertions/assertion.ts'
import { type AssertionRow, tables, toAssertion } from './rows.ts'

export interface AssertionFilter {
  readonly subjectIds?: readonly string[] | undefined
  readonly status?: Assertion['status'] | undefined
  readonly predicate?: Assertion['predicate'] | undefined
  readonly speaker?: string | undefined
  readonly sourceKind?: string | undefined
  readonly sourceId?: string | undefined
  /** A part of the normalized content. */
  readonly part?: string | undefined
}

const visible = (db: Db, agentId: string) =>
  tables(db)
    .selectFrom('epistemicAssertions')
    .where('agentId', '=', agentId)
    .where('withheldAt', 'is', null)
    .where('subjectWithheldAt', 'is', null)

const equalFields = ['status', 'predicate', 'speaker', 'sourceKind', 'sourceId'] as const

function matching(db: Db, agentId: string, filter: AssertionFilter) {
  const { subjectIds, part } = filter
  let query = visible(db, agentId)
  if (subjectIds) query = query.where('subjectEntityId', 'in', subjectIds)
  for (const field of equalFields) {
    const value = filter[field]
    if (value !== undefined) query = query.where(field, '=', value)
  }
  const find = engineOf(db) === 'postgres' ? sql.raw('strpos') : sql.raw('instr')
  return part === undefined
    ? query
    : query.where(sql<SqlBool>`${find}(normalized_content, ${part}) > 0`)
}

/** The last asserted first. */
export async function listAssertions(
  db: Db,
  agentId: string,
  { limit, offset, ...filter }: AssertionFilter & Readonly<Record<'limit' | 'offset', number>>,
): Promise<Assertion[]> {
  const rows = await matching(db, agentId, filter)
    .selectAll()
    .orderBy('assertedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toAssertion)
}

/** Active assertions after an id, in the order of their ids. */
export async function listAfter(
  db: Db,
  {
    after,
    agentId,
    limit,
  }: Readonly<Record<'after' | 'agentId', string>> & { readonly limit: number },
): Promise<Assertion[]> {
  const rows = await visible(db, agentId)
    .selectAll()
    .where('status', '=', 'active')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toAssertion)
}

export async function countAssertions(
  db: Db,
  agentId: string,
  filter: AssertionFilter,
): Promise<number> {
  const { count } = await matching(db, agentId, filter)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findAssertion(
  db: Db,
  agentId: string,
  id: string,
): Promise<Assertion | undefined> {
  const row = await visible(db, agentId).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toAssertion(row)
}

export async function insertAssertion(db: Db, assertion: Assertion): Promise<void> {
  await tables(db).insertInto('epistemicAssertions').values(toAssertionRow(assertion)).execute()
}

/** Compare-and-set: undefined when the assertion is not active any more. */
export async function updateActive(
  db: Db,
  { agentId, id }: Pick<Assertion, 'agentId' | 'id'>,
  set: Partial<
    Pick<
      Assertion,
      'status' | 'claimAttributeId' | 'archivedAt' | 'archivedBy' | 'archiveReason' | 'updatedAt'
    >
  >,
): Promise<Assertion | undefined> {
  const row = await tables(db)
    .updateTable('epistemicAssertions')
    .set(set)
    .where('id', '=', id)
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .returningAll()
    .executeTakeFirst()
  return row && toAssertion(row)
}

export async function updateAssertion(db: Db, { id, ...assertion }: Assertion): Promise<void> {
  const { evidence, ...fields } = assertion
  const set = { ...fields, evidence: JSON.stringify(evidence) }
  await tables(db).updateTable('epistemicAssertions').set(set).where('id', '=', id).execute()
}

function toAssertionRow({ evidence, ...assertion }: Assertion): AssertionRow {
  return { ...assertion, evidence: JSON.stringify(evidence) }
}

interface Among {
  readonly keys?: readonly string[]
  readonly limit: number
}

/** The sessions in which assertions were written, the latest first. */
export async function listSessions(db: Db, agentId: string, { keys, limit }: Among) {
  const all = visible(db, agentId)
    .select(({ fn }) => ['sessionKey', fn.max('createdAt').as('lastAt')])
    .where('sessionKey', 'is not', null)
  const rows = await (keys ? all.where('sessionKey', 'in', keys) : all)
    .groupBy('sessionKey')
    .orderBy('lastAt', 'desc')
    .limit(limit)
    .execute()
  return rows.flatMap(({ sessionKey, lastAt }) =>
    sessionKey === null ? [] : [{ sessionKey, lastAt }],
  )
}

/** The latest first. */
export async function listOfSession(
  db: Db,
  { agentId, sessionKey }: { readonly agentId: string; readonly sessionKey: string },
  limit: number,
): Promise<Assertion[]> {
  const rows = await visible(db, agentId)
    .selectAll()
    .where('sessionKey', '=', sessionKey)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toAssertion)
}
