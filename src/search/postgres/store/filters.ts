import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import type { EngineQuery } from '../../engine.ts'

export type MaskRequest = Pick<
  EngineQuery,
  'readScope' | 'filters' | 'ids' | 'asOf' | 'exceptSourceType'
>

const exact = {
  agentId: 'agent_id',
  sessionId: 'session_id',
  type: 'type',
  who: 'who',
  sourceType: 'source_type',
  project: 'project',
} as const

/** The rows of `memory_search as m` that are live, readable, current and match the filters. */
export function mayAnswer(request: MaskRequest): RawBuilder<SqlBool> {
  const { readScope, filters, ids, asOf, exceptSourceType } = request
  const { pinned, importanceMin, tags = [], since, until } = filters
  const lists = [ids, filters.ids].filter((list) => list !== undefined)
  return allOf([
    visibleTo(readScope, filters.scope),
    asOf === undefined ? sql`m.superseded_at = 'Infinity'` : currentAt(timeOf(asOf)),
    ...(exceptSourceType === undefined ? [] : [sql`m.source_type <> ${exceptSourceType}`]),
    ...Object.entries(exact).flatMap(([field, column]) => {
      const expected = filters[field as keyof typeof exact]
      return expected === undefined ? [] : [sql`${sql.raw(`m.${column}`)} = ${expected}`]
    }),
    ...(pinned === undefined ? [] : [sql`m.pinned = ${pinned ? 1 : 0}`]),
    ...(importanceMin === undefined ? [] : [sql`m.importance >= ${importanceMin}`]),
    ...(since === undefined ? [] : [sql`m.created_at >= ${timeOf(since)}`]),
    ...(until === undefined ? [] : [sql`m.created_at <= ${timeOf(until)}`]),
    ...tags.map((tag) => sql`position(${`,${tag.toLowerCase()},`} in m.tags) > 0`),
    ...lists.map((list) => sql`m.memory_id = any(${list}::text[])`),
  ])
}

/** Created by then, not yet superseded, and valid if validity is known. */
function currentAt(at: number): RawBuilder<SqlBool> {
  return sql`m.created_at <= ${at} and m.superseded_at > ${at}
    and (m.validity is null or m.validity @> ${at}::bigint)`
}

/** Live, readable, and in the namespace. */
export function visibleTo(readScope: ReadScope, scope: string | null): RawBuilder<SqlBool> {
  return allOf([
    sql`m.deleted = 0`,
    readableBy(readScope, 'm'),
    scope === null ? sql`m.scope is null` : sql`m.scope = ${scope}`,
  ])
}

function allOf(conditions: readonly Expression<unknown>[]): RawBuilder<SqlBool> {
  return sql`(${sql.join(conditions, sql` and `)})`
}

function timeOf(iso: string): number {
  return Date.parse(iso)
}
