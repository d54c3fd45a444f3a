import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'

/** Which rows a reader may see: the read policy of its agent, narrowed by its token's project. */
export interface ReadScope {
  readonly agentId: string
  readonly policy: 'isolated' | 'shared' | 'group'
  /** For the policy `group`: every agent of the reader's group, itself among them. */
  readonly groupAgents: readonly string[]
  /** Only rows of this project, when the token says so. */
  readonly project: string | null
}

/** The columns that every table with a read policy has. */
interface ScopedRow {
  readonly agentId: string
  readonly visibility: 'global' | 'private' | 'archived'
  readonly project: string | null
}

/** The read policy as SQL, for a table or alias with these columns: every query over scoped rows is narrowed by it. */
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

/** The same rule for a row that is at hand. */
export function mayRead(scope: ReadScope, row: ScopedRow): boolean {
  if (row.visibility === 'archived') return false
  if (scope.project !== null && scope.project !== row.project) return false
  if (row.agentId === scope.agentId) return true
  if (row.visibility !== 'global' || scope.policy === 'isolated') return false
  return scope.policy === 'shared' || scope.groupAgents.includes(row.agentId)
}
