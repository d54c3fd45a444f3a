import type { Db } from '../../kernel/db/database.ts'

export interface EventRef {
  readonly kind: 'memory' | 'source' | 'source_artifact' | 'assertion' | 'session'
  readonly id: string
  readonly label: string
  readonly score?: number
  readonly status?: string
  readonly sourcePath?: string
}

/** An event in a session that may have influenced its outcome. */
export interface SessionEvent {
  readonly id: string
  readonly kind:
    | 'recall.requested'
    | 'recall.result'
    | 'context.recalled'
    | 'artifact.written'
    | 'assertion.created'
  /** ISO. */
  readonly at: string
  readonly title: string
  readonly detail: string
  readonly refs: readonly EventRef[]
  readonly payload: Readonly<Record<string, unknown>>
}

export interface EventScope {
  readonly agentId: string
  readonly project?: string | undefined
  /** Whether events without a project are included. */
  readonly includeUnscoped?: boolean
}

interface EventCount {
  readonly sessionKey: string
  readonly project: string | null
  readonly lastAt: string
  readonly count: number
}

/** A capability that contributes events to the timeline of a session. */
export interface SessionEventSource {
  /** Counts by session, the latest first; limited to `keys` when given. */
  countEvents(
    db: Db,
    scope: EventScope,
    among: { readonly keys?: readonly string[]; readonly limit: number },
  ): Promise<readonly EventCount[]>
  /** The latest first. */
  listEvents(
    db: Db,
    scope: EventScope & { readonly sessionKey: string },
    limit: number,
  ): Promise<readonly SessionEvent[]>
}

export const maxLabelLength = 96
