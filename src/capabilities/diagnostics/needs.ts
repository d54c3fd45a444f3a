import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db, Engine } from '../../kernel/db/database.ts'
import type { FeedItem } from '../../kernel/feed/feed.ts'
import type { HealthCheck } from '../../kernel/health/health.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'

export interface DiagnosticsNeeds {
  readonly host: Host
  readonly log: Log
  readonly db: Db
  /** Never stands before a request's reads. */
  readonly background: Db
  readonly self: Self
  readonly settings: {
    /** Why the file as it is now is not in use. */
    problem(): string | undefined
    waiting(): readonly string[]
    pipeline(): Readonly<Record<string, unknown>>
  }
  /** What was logged last, and what will be. */
  readonly entries: LogEntries
  /** Null where the delay is not measured. */
  eventLoop(): EventLoop | null
  /** When this agent was first heard of. */
  agentCreatedAt(agentId: string): Promise<string | null>
  /** What each part offers to say of itself. */
  readonly checks: Pick<ExtensionPoint<HealthCheck>, 'list'>
}

/** What the daemon knows of itself. */
export interface Self {
  readonly version: string
  readonly startedAt: Date
  readonly workspace: string
  readonly agentId: string
  readonly mode: string
  readonly engine: Engine
  /** Null when the rows are on a server. */
  readonly databaseFile: string | null
  /** A URL without credentials; null when the rows are in a file. */
  readonly databaseServer: string | null
  readonly logDir: string
  readonly bindHost: string
  /** Null before it listens. */
  port(): number | null
  stopping(): boolean
}

export interface LogEntry {
  readonly level: string
  readonly category: string
  readonly message: string
  /** ISO text. */
  readonly at: string
}

interface LogEntries {
  /** The oldest first. */
  recent(): readonly LogEntry[]
  /** Those after the one with this id come first. */
  follow(signal: AbortSignal, lastId?: string): AsyncIterable<FeedItem<LogEntry>>
  /** Undefined when they are kept in none. */
  readonly file: string | undefined
}

/** Milliseconds, over the last minute. */
export interface EventLoop {
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** The operation that held the loop longest. */
  readonly slowest: string | null
}
