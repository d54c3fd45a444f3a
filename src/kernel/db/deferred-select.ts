/** A compiled select with one list parameter that the reading thread fills in. */
export interface DeferredSelect {
  readonly sql: string
  /** All parameters except the list. */
  readonly parameters: readonly unknown[]
  /** Index of the list among all parameters, and its number of placeholders. */
  readonly list: { readonly at: number; readonly places: number }
}

/** Rows between threads: lists of values in the order of the columns. */
export interface DeferredRows {
  readonly columns: readonly string[]
  readonly rows: readonly unknown[]
}

/** Inserts the list into the parameters and pads it with its last value. The list is not empty. */
export function bindList(
  { parameters, list: { at, places } }: DeferredSelect,
  list: readonly unknown[],
): readonly unknown[] {
  const all = Array.from({ length: places }, (_, place) => list[place] ?? list.at(-1))
  return parameters.toSpliced(at, 0, ...all)
}
