import type { Db } from '../../kernel/db/database.ts'

export interface EventRef {
  readonly kind: 'memory' | 'source' | 'source_artifact' | 'assertion' | 'session'
  readonly id: string
  readonly label: string
  readonly score?: number
  readonly status?: string
  readonly sourcePath?: string
}

/** Something that happened around a session and may have had a part in what came of it. */
export interface BlackBoxEvent {
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

export interface EvidenceScope {
  readonly agentId: string
  readonly project?: string | undefined
  /** Whether what has no project belongs to it as well. */
  readonly orNone?: boolean
}

interface EvidenceCount {
  readonly sessionKey: string
  readonly project: string | null
  readonly lastAt: string
  readonly count: number
}

/** Whoever keeps rows about sessions hands them in, so that they can be told in one line of time. */
export interface EvidenceSource {
  /** The latest sessions first; only of these keys, where some are named. */
  countEvents(
    db: Db,
    scope: EvidenceScope,
    among: { readonly keys?: readonly string[]; readonly limit: number },
  ): Promise<readonly EvidenceCount[]>
  /** The latest first. */
  listEvents(
    db: Db,
    scope: EvidenceScope & { readonly sessionKey: string },
    limit: number,
  ): Promise<readonly BlackBoxEvent[]>
}

export const longestLabel = 96
