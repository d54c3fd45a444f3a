/** The state of a harness file after a session was written to it. Stored as JSON. */
export interface FileCheckpoint {
  /** Path and inode: changes when the file is replaced. */
  readonly file: string
  /** Branch and length in characters of the written content. */
  readonly course: string
  readonly length: number
  /** `seq` of the last record. */
  readonly seq: number
  /** Bytes of the whole file; a shorter file was truncated. */
  readonly size: number
}
