/** A figure and its limit. */
export interface Figure {
  readonly name: string
  readonly value: string
  readonly limit: string
}
