import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'

/**
 * The rows that a reader may see: the read policy of its agent, restricted to its token's project.
 */
export interface ReadScope {
  readonly agentId: string
  readonly policy: 'isolated' | 'shared' | 'group'
  /** For the policy `group`: all agents of the reader's group, including the reader. */
  readonly groupAgents: readonly string[]
  /** When set, only rows of this project are readable. */
  readonly project: string | null
}

/** The columns of every table with a read policy. */
interface ScopedRow {
  readonly agentId: string
  readonly visibility: 'global' | 'private' | 'archived'
  readonly project: string | null
}

/**
 * Returns the read policy as SQL for a table or alias. Every query over scoped rows must use it.
 */
export function readableBy(scope: ReadScope, table: string): Expression<SqlBool> {
  const { agentId, policy, groupAgents, project } = scope
  const { eb, and, or } = expressionBuilder<never, never>()
  const column = (name: keyof ScopedRow) => sql.ref<string | null>(`${table}.${name}`)
  const open = eb(column('visibility'), '=', 'global')
  const others = {
    isolated: [],
    shared: [open],
    group: groupAgents.length === 0 ? [] : [and([open, eb(column('agentId'), 'in', groupAgents)])],
  }[policy]
  return and([
    eb(column('visibility'), '!=', 'archived'),
    or([eb(column('agentId'), '=', agentId), ...others]),
    ...(project === null ? [] : [eb(column('project'), '=', project)]),
  ])
}

/** Applies the same policy to a loaded row. */
export function mayRead(scope: ReadScope, row: ScopedRow): boolean {
  if (row.visibility === 'archived') return false
  if (scope.project !== null && scope.project !== row.project) return false
  if (row.agentId === scope.agentId) return true
  if (row.visibility !== 'global' || scope.policy === 'isolated') return false
  return scope.policy === 'shared' || scope.groupAgents.includes(row.agentId)
}
