/** What a file was known to hold of a session when it was last written to. */
export interface Written {
  /** Which file: its path, and what changes when another takes its place. */
  readonly file: string
  /** Of the content that it holds, and how many characters that has, as the database counts them. */
  readonly course: string
  readonly length: number
  /** Of the last record. */
  readonly seq: number
  /** Bytes of the whole file then: one that is shorter by now was cut. */
  readonly size: number
}
