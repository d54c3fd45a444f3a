import { RowNames } from './sqlite/named-rows.ts'

/** A select about a list that is found by the thread that reads: the places of the list are open. */
export interface DeferredSelect {
  readonly sql: string
  /** All but the list. */
  readonly parameters: readonly unknown[]
  /** Which of all parameters it is to be, and how long at most. */
  readonly list: { readonly at: number; readonly places: number }
}

/** Rows as they cross threads: the values of each, in the order of the columns. */
export interface DeferredRows {
  readonly columns: readonly string[]
  readonly rows: readonly unknown[]
}

const names = new RowNames()

/** All parameters; in places that are left over stands the last of the list, which is not empty. */
export function bindList(
  { parameters, list: { at, places } }: DeferredSelect,
  list: readonly unknown[],
): readonly unknown[] {
  const all = Array.from({ length: places }, (_, place) => list[place] ?? list.at(-1))
  return parameters.toSpliced(at, 0, ...all)
}

export function toRows<Row>({ columns, rows }: DeferredRows): Row[] {
  return names.toRows<Row>(columns, rows)
}
