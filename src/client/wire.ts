/** What `POST /api/memory/remember` takes; only `content` is asked for. */
export interface RememberRequest {
  readonly content: string
  readonly who?: string | undefined
  readonly project?: string | undefined
  readonly importance?: number | undefined
  readonly tags?: string | undefined
  readonly pinned?: boolean | undefined
  readonly type?: string | undefined
}

export interface Remembered {
  readonly id: string
  readonly content: string
  readonly deduped?: boolean
  readonly redactions?: number
}

export interface MemoryRow {
  readonly id: string
  readonly content: string
  readonly created_at: string
  readonly who?: string
  readonly importance: number
  readonly tags: string | null
  readonly pinned: 0 | 1 | boolean
  readonly type?: string
  readonly project?: string | null
}

export interface MemoryPage {
  readonly memories: readonly MemoryRow[]
  readonly stats: {
    readonly total: number
    readonly withEmbeddings: number
    readonly critical: number
  }
}

/** The whole record; its fields are the contract's, in both spellings where it has two. */
export type MemoryRecord = MemoryRow & Readonly<Record<string, unknown>>

export interface RecallRequest {
  readonly query: string
  readonly limit?: number | undefined
  readonly project?: string | undefined
  readonly type?: string | undefined
  readonly tags?: string | undefined
  readonly who?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly asOf?: string | undefined
  readonly explain?: boolean | undefined
}

export interface RecalledRow extends MemoryRow {
  readonly score: number
  readonly source: string
  readonly explain?: {
    readonly stages: readonly {
      readonly name: string
      readonly score: number
      readonly reason?: string
    }[]
  }
}

export interface Recalled {
  readonly results: readonly RecalledRow[]
  readonly method: string
  readonly meta: {
    readonly totalReturned: number
    readonly noHits: boolean
    readonly degradation?: unknown
  }
}

export interface HistoryReply {
  readonly memoryId: string
  readonly count: number
  readonly history: readonly {
    readonly event: string
    readonly changedBy: string
    readonly actorType: string
    readonly reason: string | null
    readonly createdAt: string
    readonly newContent: string | null
  }[]
}

export interface UpdateRequest {
  readonly reason: string
  readonly importance?: number | undefined
  readonly tags?: string | undefined
  readonly pinned?: boolean | undefined
  readonly type?: string | undefined
  readonly content?: string | undefined
  readonly if_version?: number | undefined
}

export interface Changed {
  readonly id: string
  readonly status: string
  readonly currentVersion: number
  readonly newVersion?: number
}

export interface AgentRow {
  readonly id: string
  readonly name: string
  readonly read_policy: string
  readonly policy_group: string | null
  readonly created_at: string
}

export interface AgentRequest {
  readonly name: string
  readonly read_policy?: string | undefined
  readonly policy_group?: string | undefined
}

export interface TokenRequest {
  readonly role: string
  readonly scope: { readonly agent?: string | undefined; readonly project?: string | undefined }
  readonly ttlSeconds?: number | undefined
  readonly sub?: string | undefined
}

export interface Live {
  readonly status: string
  readonly pid: number
  readonly version: string
  readonly uptime: number
}

export interface Ready {
  readonly status: 'ready' | 'not_ready'
  readonly version: string
  readonly checks: Readonly<Record<string, unknown>>
  readonly reasons: readonly string[]
}

export interface LogEntry {
  readonly at: string
  readonly level: string
  readonly category: string
  readonly message: string
}

export interface ConfigFile {
  readonly name: string
  readonly content: string
  readonly size: number
}

export interface BackupMade {
  readonly file: string
  readonly bytes: number
  readonly files: number
  readonly sha256: string
}

/** How far the vectors are. */
export interface EmbeddingsProgress {
  readonly state: string
  readonly active: string | null
  readonly building: string | null
  readonly total: number
  readonly embedded: number
  readonly refused: number
  readonly error?: string
}

export interface EmbeddingsHealth {
  readonly status: string
  /** In percent. */
  readonly coverage: number
  readonly checks: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly fix?: string
  }[]
}
