import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import type { Memory } from '../memory.ts'

/** The namespace to read. Default: memories without a namespace. */
export interface Namespace {
  readonly scope?: string | undefined
  readonly allScopes?: boolean | undefined
}

/** Filters of a search or selection. An absent field does not filter, except `scope`. */
export interface MemoryFilter extends Pick<Namespace, 'scope'> {
  readonly ids?: readonly string[] | undefined
  /** Owner and session of the memory. */
  readonly agentId?: string | undefined
  readonly sessionId?: string | undefined
  readonly type?: string | undefined
  readonly who?: string | undefined
  readonly sourceType?: string | undefined
  readonly project?: string | undefined
  readonly pinned?: boolean | undefined
  readonly importanceMin?: number | undefined
  /** A memory must have every tag. */
  readonly tags?: readonly string[] | undefined
  /** Inclusive bounds of the creation time, ISO. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

const exactFields = ['agentId', 'sessionId', 'type', 'who', 'sourceType', 'project'] as const

/** Live, readable and matching the filter. */
export function matchesLive(scope: ReadScope, filter: MemoryFilter): Expression<SqlBool> {
  const { eb, and } = expressionBuilder<{ memories: Memory }, 'memories'>()
  const live = eb('memories.deletedAt', 'is', null)
  const namespace = inNamespace({ scope: filter.scope })
  return and([live, readableBy(scope, 'memories'), matchesFilter(filter), namespace])
}

/** The filter without its namespace. The query must select from `memories` without an alias. */
export function matchesFilter(filter: Omit<MemoryFilter, 'scope'>): Expression<SqlBool> {
  const { eb, and } = expressionBuilder<{ memories: Memory }, 'memories'>()
  const { ids, tags, since, until, importanceMin, pinned } = filter
  const equal = exactFields.flatMap((field) =>
    filter[field] === undefined ? [] : [eb(`memories.${field}`, '=', filter[field])],
  )
  return and([
    ...equal,
    ...(ids ? [eb('memories.id', 'in', ids)] : []),
    ...(tags ?? []).map(hasTag),
    ...(pinned === undefined
      ? []
      : [sql<SqlBool>`${sql.ref('memories.pinned')} = ${pinned ? 1 : 0}`]),
    ...(importanceMin === undefined ? [] : [eb('memories.importance', '>=', importanceMin)]),
    ...(since === undefined ? [] : [eb('memories.createdAt', '>=', since)]),
    ...(until === undefined ? [] : [eb('memories.createdAt', '<=', until)]),
  ])
}

/** The query must select from `memories` without an alias. */
export function inNamespace({ scope, allScopes = false }: Namespace): Expression<SqlBool> {
  const { eb, and } = expressionBuilder<{ memories: Memory }, 'memories'>()
  if (scope !== undefined) return eb('memories.scope', '=', scope)
  return allScopes ? and([]) : eb('memories.scope', 'is', null)
}

/** Whole tags only, case-insensitive. */
function hasTag(tag: string): Expression<SqlBool> {
  return contains(sql<string>`',' || ${sql.ref('memories.tags')} || ','`, `,${tag},`)
}

/**
 * Case-insensitive substring test for a non-empty part. No `like`: its patterns have
 * wildcards, and SQLite limits them to 50,000 bytes. Stored text has no NUL; SQLite would cut
 * the part at one.
 */
export function contains(text: Expression<string | null>, part: string): Expression<SqlBool> {
  if (part.includes('\0')) return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`replace(lower(${text}), lower(${part}), '') <> lower(${text})`
}

export function containsInTextOrTags(text: string): Expression<SqlBool> {
  const [content, tags] = ['memories.content', 'memories.tags'].map((column) =>
    contains(sql.ref<string | null>(column), text),
  )
  return sql<SqlBool>`(${content} or ${tags})`
}

type TextColumn = 'project' | 'sourceType' | 'type' | 'who'

/** Longer texts do not fit into an index of PostgreSQL. */
export const indexedLength = 200

/** Matches the expression index. A plain column index would mislead the planner in other queries. */
export function indexed(column: TextColumn): Expression<string> {
  return sql<string>`coalesce(${sql.ref(column)}, '')`
}

/** For an index that holds the beginning of a text of any length. */
export function hasText(column: TextColumn, text = ''): Expression<SqlBool> {
  const beginning = [...text].slice(0, indexedLength).join('')
  const value = indexed(column)
  return sql<SqlBool>`substr(${value}, 1, ${sql.lit(indexedLength)}) = ${beginning} and ${value} = ${text}`
}
