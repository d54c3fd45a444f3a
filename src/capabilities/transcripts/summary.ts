import type { CleanText } from '../../kernel/redaction/clean-text.ts'
/** A node of the graph in which sessions are condensed: a session, an arc of them, an epoch of arcs. */
export interface Summary {
  readonly agentId: string
  readonly id: string
  readonly project: string | null
  /** 0 for one session or compaction, one more for each condensation. */
  readonly depth: number
  readonly kind: 'session' | 'arc' | 'epoch'
  readonly content: CleanText
  readonly tokenCount: number
  readonly earliestAt: string
  readonly latestAt: string
  readonly sessionKey: string | null
  readonly harness: string | null
  readonly sourceType: SummarySource
  readonly sourceRef: string | null
  /** JSON. */
  readonly metaJson: string | null
  readonly createdAt: string
}

type SummarySource =
  | 'transcript'
  | 'summary'
  | 'compaction'
  | 'chunk'
  | 'checkpoint'
  | 'condensation'

/** As everywhere here: four characters are about one token. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4)
}
