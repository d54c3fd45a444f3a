import {
  type CompiledQuery,
  type Expression,
  type KyselyPlugin,
  OperationNodeTransformer,
  type SqlBool,
  sql,
  ValueNode,
} from 'kysely'
import { type Db, engineOf } from './database.ts'
import type { DeferredSelect } from './deferred-select.ts'
import type { Write } from './execute-batch.ts'
import { prepareStatement } from './postgres/prepared-statements.ts'

/** Placeholder for a value, or for one value of a list, during compilation. */
class Placeholder {
  readonly name: string
  readonly at: number | undefined

  constructor(name: string, at?: number) {
    this.name = name
    this.at = at
  }
}

class InlineConstants extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return node.value instanceof Placeholder ? node : ValueNode.createImmediate(node.value)
  }
}
const inlineConstants = new InlineConstants()

/** SQLite prepares again when certain parameters change, so constants are inlined. */
const inlineConstantsPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => inlineConstants.transformNode(node),
  transformResult: async ({ result }) => result,
}

type Build<Values> = (db: Db, values: Values) => { compile(): CompiledQuery }

/**
 * Compiles a frequent statement once for each engine and each set of parameter names; later calls only
 * bind values. `build` must not depend on the values. A list may only be used with `in`: it is padded to
 * the next power of two.
 */
export function compileOnce<Values extends object>(build: Build<Values>) {
  const fill = createFill(build)
  return (db: Db, values: Values): Write => ({
    compile: () => {
      const query = fill(db, values)
      if (engineOf(db) === 'postgres') prepareStatement(query.sql)
      return query
    },
  })
}

/** Compiles a statement that returns rows once; `later` defers the values of one list. */
export function compileSelectOnce<Values extends object, Row>(
  build: (db: Db, values: Values) => { compile(): CompiledQuery<Row> },
) {
  const fill = createFill(build)
  const select = async (db: Db, values: Values): Promise<Row[]> => {
    const query = fill(db, values)
    if (engineOf(db) === 'postgres') prepareStatement(query.sql)
    return (await db.executeQuery<Row>(query)).rows
  }
  const deferred = (db: Db, values: Values, list: keyof Values, room: number): DeferredSelect => {
    const { sql, parameters } = fill(db, { ...values, [list]: new Array(room).fill(openListItem) })
    const at = parameters.indexOf(openListItem)
    const places = parameters.lastIndexOf(openListItem) + 1 - at
    return { sql, parameters: parameters.toSpliced(at, places), list: { at, places } }
  }
  return Object.assign(select, { later: deferred })
}

const openListItem = Symbol('open')

/** Binds parameters by name; lists are padded to their number of placeholders. */
type StatementValues = Readonly<Record<string, unknown>>

function createFill<Values extends object>(build: Build<Values>) {
  const compiledByKey = new Map<string, CompiledQuery>()
  const write = (db: Db, values: StatementValues) =>
    build(db.withPlugin(inlineConstantsPlugin), toPlaceholders(values) as Values).compile()
  return (db: Db, values: Values): CompiledQuery => {
    const paddedValues: StatementValues = mapValues(values, (value) =>
      isList(value) ? pad(value) : value,
    )
    const key = keyOf(db, paddedValues)
    const known = compiledByKey.get(key) ?? write(db, paddedValues)
    compiledByKey.set(key, known)
    const parameters = known.parameters.map((value) =>
      value instanceof Placeholder ? bindPlaceholder(paddedValues, value) : value,
    )
    return { ...known, parameters }
  }
}

function keyOf(db: Db, values: StatementValues): string {
  let key: string = engineOf(db)
  for (const name in values) {
    const value = values[name]
    key += isList(value) ? ` ${name}*${value.length}` : ` ${name}`
  }
  return key
}

function toPlaceholders(values: StatementValues): StatementValues {
  return mapValues(values, (value, name) =>
    isList(value) ? value.map((_, at) => new Placeholder(name, at)) : new Placeholder(name),
  )
}

function bindPlaceholder(values: StatementValues, { name, at }: Placeholder): unknown {
  const value = values[name]
  return at !== undefined && isList(value) ? value[at] : value
}

function mapValues(
  from: object,
  change: (value: unknown, name: string) => unknown,
): StatementValues {
  const changed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(from)) changed[name] = change(value, name)
  return changed
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** Pads with the last value, so that few lengths occur. */
function pad(list: readonly unknown[]): readonly unknown[] {
  const length = list.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(list.length))
  if (length === list.length) return list
  return [...list, ...new Array(length - list.length).fill(list.at(-1))]
}

/**
 * Hides a condition from the query planner, for rows that are found by id. Without statistics SQLite
 * prefers an index with one value to twenty ids, and would read all rows of an agent.
 */
export function withoutIndex(condition: Expression<SqlBool>): Expression<SqlBool> {
  return sql<SqlBool>`case when ${condition} then 1 else 0 end = 1`
}
