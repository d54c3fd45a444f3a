/** Background work of a capability, shown by the status of the pipeline. */
export interface BackgroundWorker {
  /** Its key in the reply, such as `embedding`. */
  readonly name: string
  status(): Promise<WorkerStatus>
  /** Looks for work now. Absent when the worker has nothing to look for. */
  wake?(): void
}

interface WorkerStatus {
  readonly running: boolean
  readonly details: Readonly<Record<string, unknown>>
}
