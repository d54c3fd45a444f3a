/** A source of the kind `import`. */
interface ImportedSource {
  readonly agentId: string
  readonly sourceId: string
}

/**
 * Rows of imported sources that another capability owns. Members run in the order of registration,
 * without a time limit; a failure leaves the deletion pending.
 */
export interface ImportedRows {
  /** Refuses `conflict` while an import works on the source. */
  assertRemovable(source: ImportedSource): Promise<void>
  /** The number of rows that a listing shows; 0 for other sources. */
  count(source: ImportedSource): Promise<number>
  /** Does nothing for other sources. May be repeated. */
  remove(source: ImportedSource): Promise<void>
}
