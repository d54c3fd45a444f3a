import type { RunResult } from '../runs/job.ts'
import type { SourceEntry, SourceKindName } from '../source.ts'

/** A file, page, issue or message, as Markdown. */
export interface SourceItem {
  /** Unique within the source. */
  readonly path: string
  readonly parentPath?: string | undefined
  /** Last part of the artifact kind, such as `issue` in `source_code_host_issue`. */
  readonly type: string
  readonly title: string
  readonly content: string
  readonly externalId?: string | undefined
  readonly mtimeMs?: number | undefined
  /** The version at the origin, for `isCurrent`. */
  readonly revision?: string | undefined
  readonly capturedAt?: string | undefined
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** False for items that only describe others, such as checkpoints. */
  readonly isSearchable?: boolean
}

export interface ItemFailure {
  readonly path: string
  readonly message: string
  /** Whether the next run may succeed. */
  readonly recoverable: boolean
}

export interface StaleItem {
  readonly path: string
  readonly mtimeMs: number | null
}

/** What a run of a kind reads and writes. It never sees the database. */
export interface SyncContext {
  readonly source: SourceEntry
  readonly signal: AbortSignal
  /** Throws after a cancellation. */
  readonly assertActive: () => void
  report(progress: {
    readonly scanned?: number
    readonly total?: number
    readonly currentPath?: string
    readonly statusMessage?: string
  }): void
  /** Saves an item and its chunks if they changed. Returns whether they did. */
  save(item: SourceItem): Promise<boolean>
  /** As `save`, for items with different paths in one transaction. */
  saveAll(items: readonly SourceItem[]): Promise<void>
  /** The number of items that one transaction should save. It is smaller while recalls are performed. */
  readonly batchItems: () => number
  /** Whether recalls are performed, so that work should not be done at the same time. */
  readonly isBusy: () => boolean
  /** As `saveAll`, for items that are no part of a listing: `removeStale` does not know them. */
  savePartial(items: readonly SourceItem[]): Promise<void>
  /** Whether the item was saved with this revision. */
  isCurrent(path: string, revision: string): Promise<boolean>
  /** Records that an item and its parts, such as comments, exist unchanged, so that none is removed. */
  retain(path: string): void
  /** Records a failure of one item. Throws after 20 failures in a row. */
  fail(failure: ItemFailure): Promise<void>
  remove(path: string): Promise<void>
  /** Removes an item that the origin has deleted, with all below it. */
  removeBelow(path: string): Promise<void>
  /** Frees the place of a run that only waits for events, so that other sources are read meanwhile. */
  leavePlace(): void
  /** Items of the prefix that this run neither saved nor retained. */
  listStale(prefix: string): Promise<readonly StaleItem[]>
  /**
   * After a complete listing: removes items of the prefix that this run neither saved nor retained,
   * and that `isRetained` does not match. Returns their number.
   */
  removeStale(prefix: string, isRetained?: (path: string) => boolean): Promise<number>
  readonly checkpoints: Checkpoints
  /** Resolves the reference of a stored secret. @throws {RunFailure} without a value */
  readSecret(reference: string): Promise<string>
  /** Makes vectors of the saved chunks. Returns false while the provider is down. */
  embed(): Promise<boolean>
}

interface Checkpoints {
  read<Cursor>(key: string): Promise<Cursor | undefined>
  write(key: string, cursor: unknown, status?: 'authoritative' | 'partial'): Promise<void>
  remove(key: string): Promise<void>
}

export interface SourceKind {
  readonly kind: SourceKindName
  sync(context: SyncContext): Promise<RunResult>
}

/** Ends a run as failed, with a message for the user. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  /** Whether only a request of the user starts a run again. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false } = {}) {
    super(message)
    this.isFinal = isFinal
  }
}

/** Ends a run as paused by a limit of the origin. The next run begins at `retryAt`. */
export class RateLimited extends Error {
  override readonly name = 'RateLimited'
  readonly retryAt: Date

  constructor(origin: string, retryAt: Date) {
    super(`${origin} limits requests until ${retryAt.toISOString()}. The run resumes by itself.`)
    this.retryAt = retryAt
  }
}

/** Ends a run after a cancellation. */
export class RunCancelled extends Error {
  override readonly name = 'RunCancelled'
}
