export type Fields = Readonly<Record<string, unknown>>

export function toFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined
}

/** The first of these names that holds a text with anything in it. */
export function findText(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return undefined
}
