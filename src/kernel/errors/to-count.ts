/** A number with its noun, for messages: `1 source`, `2 sources`. */
export function toCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
