import type { CompiledQuery } from 'kysely'
import { type Db, engineOf } from './database.ts'
import type { Write } from './write-together.ts'

/** Stands for a value while the statement is compiled. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
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

/** The same for a select. */
export function reusableSelect<Values extends object, Row>(
  build: (db: Db, values: Values) => { compile(): CompiledQuery<Row> },
) {
  const fill = createFill(build)
  return async (db: Db, values: Values): Promise<Row[]> =>
    (await db.executeQuery<Row>(fill(db, values))).rows
}

function createFill<Values extends object>(build: Build<Values>) {
  const written = new Map<string, CompiledQuery>()
  return (db: Db, values: Values): CompiledQuery => {
    const given = new Map(Object.entries(values).flatMap(([name, value]) => namesOf(name, value)))
    const key = [engineOf(db), ...given.keys()].join(' ')
    const known = written.get(key) ?? build(db, toSlots(values)).compile()
    written.set(key, known)
    const parameters = known.parameters.map((value) =>
      value instanceof Slot ? given.get(value.name) : value,
    )
    return { ...known, parameters }
  }
}

function toSlots<Values extends object>(values: Values): Values {
  const slots = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? namesOf(name, value).map(([own]) => new Slot(own)) : new Slot(name),
  ])
  return Object.fromEntries(slots)
}

/** Each value by itself, with a name of its own. */
function namesOf(name: string, value: unknown): (readonly [string, unknown])[] {
  return Array.isArray(value)
    ? pad(value).map((one, at) => [`${name}.${at}`, one])
    : [[name, value]]
}

/** With its last, so that there are few lengths. */
function pad(list: readonly unknown[]): readonly unknown[] {
  const length = list.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(list.length))
  return Array.from({ length }, (_, at) => list[Math.min(at, list.length - 1)])
}
