interface Finding {
  readonly code: string
  readonly detail: string
  readonly fix: { readonly command: string | null; readonly route: string | null } | null
}

export interface Domain {
  readonly status: string
  /** Absent where a part has no score. */
  readonly score?: number
  readonly reasons: readonly Finding[]
}

export type Diagnostics = Readonly<Record<string, Domain | string>>

export interface LogEntry {
  readonly timestamp: string
  readonly level: string
  readonly category: string
  readonly message: string
}

export interface Logs {
  readonly logs: readonly LogEntry[]
}

export interface Pipeline {
  readonly mode: string
  readonly workers: Readonly<Record<string, { readonly running: boolean }>>
  readonly queues: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export interface Agents {
  readonly agents: readonly {
    readonly id: string
    readonly name: string
    readonly read_policy: string
    readonly created_at: string
  }[]
}

export interface Presences {
  readonly sessions: readonly {
    readonly key: string
    readonly sessionKey: string | null
    readonly agentId: string
    readonly harness: string
    readonly project: string | null
    readonly lastSeenAt: string
  }[]
}

export interface Keys {
  readonly keys: readonly {
    readonly id: string
    readonly name: string
    readonly role: string
    readonly createdAt: string
    readonly revokedAt?: string | null
  }[]
}

export interface Messages {
  readonly items: readonly {
    readonly id: string
    readonly fromAgentId?: string
    readonly toAgentId?: string
    readonly content: string
    readonly createdAt?: string
  }[]
}

interface Amounts<Value> {
  readonly cost: Value
  readonly tokens: Value
}

export interface InferenceStatus {
  readonly enabled: boolean
  readonly defaultPolicy: string | null
  readonly policies: readonly string[]
  readonly targetRefs: readonly string[]
  readonly configIssues: readonly {
    readonly field: string
    readonly ref: string
    readonly message: string
  }[]
  readonly runtimeSnapshot?: {
    readonly targets: Readonly<
      Record<
        string,
        {
          readonly health: string
          readonly accountState: string
          readonly unavailableReason?: string
        }
      >
    >
  }
  readonly budgets?: readonly {
    readonly id: string
    readonly limits: Amounts<number | null>
    readonly used: Amounts<number>
    readonly state: string
    readonly resetsAt: string
  }[]
}

export interface RouteDecision {
  readonly policyId: string
  readonly targetRef: string
  readonly trace: {
    readonly candidates: readonly {
      readonly targetRef: string
      readonly allowed: boolean
      readonly reasons: readonly string[]
      readonly blockedBy: readonly string[]
    }[]
  }
}

export interface Catalogue {
  readonly models: Readonly<
    Record<
      string,
      readonly {
        readonly id: string
        readonly name: string
        readonly contextWindow: number | null
      }[]
    >
  >
  readonly oauthProviders: readonly {
    readonly id: string
    readonly name: string
    readonly connected: boolean
    readonly error?: string
  }[]
}

export interface InferenceHistory {
  readonly events: readonly {
    readonly id: string
    readonly timestamp: string
    readonly operation: string
    readonly selectedTarget: string | null
    readonly finalTarget: string | null
    readonly durationMs: number
    readonly inputTokens?: number | null
    readonly outputTokens?: number | null
    readonly success: boolean
    readonly errorCode: string | null
    readonly agentId?: string
    readonly surface?: string
    readonly policyId?: string | null
    readonly taskClass?: string | null
    readonly privacy?: string | null
    readonly attemptPath?: string
    readonly failedTargets?: string
    readonly allowedCount?: number
    readonly candidateCount?: number
    readonly cancelled?: boolean
  }[]
  readonly summary: { readonly total: number; readonly failures: number }
}

export interface Projection {
  readonly status: string
  readonly count: number
  readonly nodes?: readonly MapPoint[]
}

export interface MapPoint {
  readonly id: string
  readonly content: string
  readonly type: string
  readonly who: string
  readonly createdAt: string
  readonly x: number
  readonly y: number
  readonly z?: number
}

export interface ConfigFiles {
  readonly files: readonly {
    readonly name: string
    readonly content: string
    readonly size: number
  }[]
}

export interface RepairResult {
  readonly message: string
  readonly affected: number
}

export interface RepairRuns {
  readonly runs: readonly {
    readonly id: string
    readonly name: string
    readonly state: string
    readonly affected: number
    readonly message: string
    readonly startedAt: string
  }[]
}

export interface DatabaseSchema {
  readonly tables: readonly {
    readonly name: string
    readonly rowCount: number | null
    readonly sampleAllowed: boolean
    readonly sampleBlockedReason?: string
    readonly columns: readonly unknown[]
  }[]
}

export interface TableSample {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly hasMore: boolean
}

export interface GitStatus {
  readonly isRepo: boolean
  readonly branch: string | null
  readonly ahead: number
  readonly behind: number
  readonly dirty: boolean
  readonly lastCommit: { readonly message: string; readonly date: string } | null
  readonly remote?: string | null
  readonly conflictCopies?: readonly string[]
  readonly degradedReason?: string
  readonly fix?: string
}

export interface GitOutcome {
  readonly success: boolean
  readonly message: string
  readonly error?: string | null
  readonly fix?: string
}

export interface UpdateCheck {
  readonly currentVersion: string
  readonly latestVersion: string | null
  readonly updateAvailable: boolean
  readonly releaseNotes: string | null
  readonly restartRequired: boolean
  readonly pendingVersion: string | null
  readonly checkError?: string
}

export interface UpdateProgress {
  readonly state: string
}

export interface UpdateRun {
  readonly success: boolean
  readonly message: string
  readonly steps?: readonly string[]
}
