import { CamelCasePlugin, type PluginTransformResultArgs } from 'kysely'

/**
 * Rows come from their thread as lists of values, for names would take most of the message. Each gets
 * those of the code here, which are looked up once for all.
 */
export class RowNames extends CamelCasePlugin {
  /** Of rows that have their names. */
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
