const numbers = new Intl.NumberFormat('en')
const rules = new Intl.PluralRules('en')

/** A number with its noun: `1 memory`, `2 memories`. */
export function count(value: number, one: string, other: string): string {
  return `${numbers.format(value)} ${rules.select(value) === 'one' ? one : other}`
}
