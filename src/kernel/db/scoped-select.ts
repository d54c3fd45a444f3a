import type { CompiledQuery } from 'kysely'
import type { ReadScope } from '../auth/read-scope.ts'
import { compileSelectOnce } from './compile-once.ts'
import type { Db } from './database.ts'

type Build<Values, Row> = (
  db: Db,
  scope: ReadScope,
  values: Values,
) => { compile(): CompiledQuery<Row> }

type Run<Values, Row> = (db: Db, values: Values & Reader) => Promise<Row[]>

interface Reader {
  readonly reader: string
  readonly group: readonly string[]
  readonly within: string
}

/**
 * Compiles a frequent select with a read scope once for each kind of scope. As in `compileOnce`, `build`
 * must not depend on the values.
 */
export function scopedSelect<Values extends object, Row>(build: Build<Values, Row>) {
  const kinds = new Map<string, Run<Values, Row>>()
  return (db: Db, scope: ReadScope, values: Values): Promise<Row[]> => {
    const { policy, agentId: reader, groupAgents: group, project } = scope
    const isNarrow = project !== null
    const kind = `${policy} ${isNarrow}`
    const scopeOf = ({ reader, group, within }: Reader) => ({
      policy,
      agentId: reader,
      groupAgents: group,
      project: isNarrow ? within : null,
    })
    const run =
      kinds.get(kind) ??
      compileSelectOnce((own, slots: Values & Reader) => build(own, scopeOf(slots), slots))
    kinds.set(kind, run)
    return run(db, { ...values, reader, group, within: project ?? '' })
  }
}
