import { CamelCasePlugin, type PluginTransformResultArgs } from 'kysely'

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

export function toRows<Row>({ columns, rows }: DeferredRows): Row[] {
  return names.toRows<Row>(columns, rows)
}

/**
 * Converts lists of values to objects with camelCase names. Messages between threads omit names,
 * because names would be most of the message.
 */
export class RowNames extends CamelCasePlugin {
  /** Rows of this engine have their final names already. */
  override async transformResult({ result }: PluginTransformResultArgs) {
    return result
  }

  toRows<Row>(columns: readonly string[], rows: readonly unknown[]): Row[] {
    const names = columns.map((column) => this.camelCase(column))
    return (rows as readonly unknown[][]).map((values) => {
      const row: Record<string, unknown> = {}
      for (const [at, name] of names.entries()) row[name] = values[at]
      return row as Row
    })
  }
}

const names = new RowNames()
