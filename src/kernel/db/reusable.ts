import { type CompiledQuery, type KyselyPlugin, OperationNodeTransformer, ValueNode } from 'kysely'
import { type Db, engineOf } from './database.ts'
import type { LateSelect } from './late-select.ts'
import type { Write } from './write-together.ts'

/** Stands for a value, or for one of a list, while the statement is compiled. */
class Slot {
  readonly name: string
  readonly at: number | undefined

  constructor(name: string, at?: number) {
    this.name = name
    this.at = at
  }
}

class Constants extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return node.value instanceof Slot ? node : ValueNode.createImmediate(node.value)
  }
}
const constants = new Constants()

/** Of some parameters SQLite makes the whole plan anew for each call: what stays the same is none. */
const withConstants: KyselyPlugin = {
  transformQuery: ({ node }) => constants.transformNode(node),
  transformResult: async ({ result }) => result,
}

type Build<Values> = (db: Db, values: Values) => { compile(): CompiledQuery }

/**
 * For a write so frequent that compiling its SQL would take longer than executing it: it is compiled
 * once for each engine and each set of names, and then only the values are filled in. `build` must not
 * look at the values. A list is for `in` alone: it is padded to the next power of two.
 */
export function reusable<Values extends object>(build: Build<Values>) {
  const fill = createFill(build)
  return (db: Db, values: Values): Write => ({ compile: () => fill(db, values) })
}

/** The same for a select; `later` leaves the places of one list open. */
export function reusableSelect<Values extends object, Row>(
  build: (db: Db, values: Values) => { compile(): CompiledQuery<Row> },
) {
  const fill = createFill(build)
  const select = async (db: Db, values: Values): Promise<Row[]> =>
    (await db.executeQuery<Row>(fill(db, values))).rows
  const later = (db: Db, values: Values, list: keyof Values, room: number): LateSelect => {
    const { sql, parameters } = fill(db, { ...values, [list]: new Array(room).fill(open) })
    const at = parameters.indexOf(open)
    const places = parameters.lastIndexOf(open) + 1 - at
    return { sql, parameters: parameters.toSpliced(at, places), list: { at, places } }
  }
  return Object.assign(select, { later })
}

const open = Symbol('open')

/** By their names; lists are as long as the statement has room. */
type Given = Readonly<Record<string, unknown>>

function createFill<Values extends object>(build: Build<Values>) {
  const written = new Map<string, CompiledQuery>()
  const write = (db: Db, given: Given) =>
    build(db.withPlugin(withConstants), toSlots(given) as Values).compile()
  return (db: Db, values: Values): CompiledQuery => {
    const given: Given = mapValues(values, (value) => (isList(value) ? pad(value) : value))
    const key = keyOf(db, given)
    const known = written.get(key) ?? write(db, given)
    written.set(key, known)
    const parameters = known.parameters.map((value) =>
      value instanceof Slot ? fillSlot(given, value) : value,
    )
    return { ...known, parameters }
  }
}

function keyOf(db: Db, given: Given): string {
  let key: string = engineOf(db)
  for (const name in given) {
    const value = given[name]
    key += isList(value) ? ` ${name}*${value.length}` : ` ${name}`
  }
  return key
}

function toSlots(given: Given): Given {
  return mapValues(given, (value, name) =>
    isList(value) ? value.map((_, at) => new Slot(name, at)) : new Slot(name),
  )
}

function fillSlot(given: Given, { name, at }: Slot): unknown {
  const value = given[name]
  return at !== undefined && isList(value) ? value[at] : value
}

function mapValues(from: object, change: (value: unknown, name: string) => unknown): Given {
  const changed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(from)) changed[name] = change(value, name)
  return changed
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** With its last, so that there are few lengths. */
function pad(list: readonly unknown[]): readonly unknown[] {
  const length = list.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(list.length))
  if (length === list.length) return list
  return [...list, ...new Array(length - list.length).fill(list.at(-1))]
}
