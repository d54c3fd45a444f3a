/** One file as it is and as it shall be; null is no file. */
export interface Change {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  readonly mode: number
}

export function isChange({ before, after }: Change): boolean {
  return before !== after
}
