import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import type { Memory } from '../memory.ts'
import { contains } from './contains.ts'

/** Which namespace is read: what is in none, unless one is named or all are asked for. */
export interface Namespace {
  readonly scope?: string | undefined
  readonly allScopes?: boolean | undefined
}

/** What narrows a search or a selection; what is absent does not, but for the scope. */
export interface MemoryFilter extends Pick<Namespace, 'scope'> {
  readonly ids?: readonly string[] | undefined
  /** Whose it is, and in which session it was kept. */
  readonly agentId?: string | undefined
  readonly sessionId?: string | undefined
  readonly type?: string | undefined
  readonly who?: string | undefined
  readonly sourceType?: string | undefined
  readonly project?: string | undefined
  readonly pinned?: boolean | undefined
  readonly importanceMin?: number | undefined
  /** Each must be among a memory's own. */
  readonly tags?: readonly string[] | undefined
  /** Bounds of the creation, ISO, both included. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

const exact = ['agentId', 'sessionId', 'type', 'who', 'sourceType', 'project'] as const

/** Live, readable and let through by the filter. */
export function liveMatching(scope: ReadScope, filter: MemoryFilter): Expression<SqlBool> {
  const { eb, and } = expressionBuilder<{ memories: Memory }, 'memories'>()
  const live = eb('memories.deletedAt', 'is', null)
  const namespace = inNamespace({ scope: filter.scope })
  return and([live, readableBy(scope, 'memories'), matching(filter), namespace])
}

/** The filter without its namespace, for queries that have the memories under their own name. */
export function matching(filter: Omit<MemoryFilter, 'scope'>): Expression<SqlBool> {
  const { eb, and } = expressionBuilder<{ memories: Memory }, 'memories'>()
  const { ids, tags, since, until, importanceMin, pinned } = filter
  const equal = exact.flatMap((field) =>
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

/** For queries that have the memories under their own name. */
export function inNamespace({ scope, allScopes = false }: Namespace): Expression<SqlBool> {
  const { eb, and } = expressionBuilder<{ memories: Memory }, 'memories'>()
  if (scope !== undefined) return eb('memories.scope', '=', scope)
  return allScopes ? and([]) : eb('memories.scope', 'is', null)
}

/** Whole tags only, in any case. */
function hasTag(tag: string): Expression<SqlBool> {
  return contains(sql<string>`',' || ${sql.ref('memories.tags')} || ','`, `,${tag},`)
}
