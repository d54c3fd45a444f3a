import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'

/** A node of the condensation graph: a session, an arc of sessions, or an epoch of arcs. */
export interface Summary {
  readonly agentId: string
  readonly id: string
  readonly project: string | null
  /** 0 for one session or compaction, incremented with each condensation. */
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

/** Estimated as four characters a token, as in the whole capability. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/** The newest node of a thread. A thread has one project, source and harness. */
export interface ThreadHead {
  readonly agentId: string
  /** `project:X#source:Y#harness:Z`, without unknown parts. */
  readonly threadKey: string
  readonly project: string | null
  /** The beginning of the node's content. */
  readonly sample: CleanText
  readonly sourceType: string
  readonly nodeId: string
  readonly latestAt: string
}

const partCharacters = 200
const sampleCharacters = 240

export function toThreadHead(node: Summary): ThreadHead {
  const { agentId, id: nodeId, project, sourceType, harness, content, latestAt } = node
  const parts = { project, source: sourceType, harness }
  const threadKey = Object.entries(parts)
    .flatMap(([name, value]) =>
      value === null ? [] : [`${name}:${value.slice(0, partCharacters)}`],
    )
    .join('#')
    .toWellFormed()
  const sample = toCleanText(sliceText(content, 0, sampleCharacters))
  return { agentId, threadKey, project, sample, sourceType, nodeId, latestAt }
}
