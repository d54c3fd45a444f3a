import { CamelCasePlugin, type PluginTransformResultArgs } from 'kysely'
import type { DeferredRows } from './deferred-select.ts'

// Apart from `deferred-select.ts`, so that threads without Kysely start without loading it.
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

  toColumn(name: string): string {
    return this.snakeCase(name)
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

/** The name of a column in SQL. */
export function toColumn(name: string): string {
  return names.toColumn(name)
}
