export interface Skills {
  readonly skills: readonly { readonly name: string; readonly description?: string }[]
}

export interface Plugins {
  readonly plugins: readonly {
    readonly id: string
    readonly name: string
    readonly version: string
    readonly state: string
    readonly grantedCapabilities: readonly string[]
    readonly pendingCapabilities: readonly string[]
  }[]
}

export interface Tasks {
  readonly tasks: readonly {
    readonly id: string
    readonly name: string
    readonly prompt: string
    readonly cron_expression: string
    readonly harness: string
    readonly enabled: number | boolean
    readonly last_run_status: string | null
    readonly last_run_at: string | null
  }[]
}

export interface Skill {
  readonly version: string
  readonly author: string
  readonly license: string
  readonly verified: boolean
  readonly permissions: readonly string[]
  readonly path: string
  readonly content: string
}

export interface PluginRecord {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly state: string
  readonly stateReason?: string
  readonly declaredCapabilities: readonly string[]
  readonly grantedCapabilities: readonly string[]
}

export interface PluginDetail {
  readonly plugin: {
    readonly record: PluginRecord
    readonly activeSurfaces: {
      readonly dashboardPanels: readonly {
        readonly id: string
        readonly title: string
        readonly summary: string
      }[]
    }
    readonly validationErrors: readonly string[]
  }
}

export interface PluginEvents {
  readonly events: readonly {
    readonly id: string
    readonly timestamp: string
    readonly event: string
    readonly result: string
    readonly data: Readonly<Record<string, unknown>>
  }[]
}

export interface TaskReply {
  readonly task: Tasks['tasks'][number]
}

export interface TaskRuns {
  readonly runs: readonly {
    readonly id: string
    readonly status: string
    readonly started_at: string
    readonly stdout?: string | null
    readonly stderr?: string | null
    readonly error?: string | null
  }[]
}
