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

/**
 * For a write so frequent that compiling its SQL would take longer than executing it: it is compiled
 * once for each engine and each set of names, and then only the values are filled in. `build` must not
 * look at the values.
 */
export function reusable<Values extends object>(build: (db: Db, values: Values) => Write) {
  const written = new Map<string, CompiledQuery>()
  return (db: Db, values: Values): Write => ({
    compile: () => {
      const given = new Map<string, unknown>(Object.entries(values))
      const names = [...given.keys()]
      const key = [engineOf(db), ...names].join(' ')
      const slots = () => Object.fromEntries(names.map((name) => [name, new Slot(name)]))
      const known = written.get(key) ?? build(db, slots() as Values).compile()
      written.set(key, known)
      const parameters = known.parameters.map((value) =>
        value instanceof Slot ? given.get(value.name) : value,
      )
      return { ...known, parameters }
    },
  })
}
