import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { Summary } from './summary.ts'

/** The newest node of a thread: of what was done in one project, by one way, in one harness. */
export interface ThreadHead {
  readonly agentId: string
  /** `project:X#source:Y#harness:Z`, without what is not known. */
  readonly threadKey: string
  readonly project: string | null
  /** Of the node's content, its beginning. */
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
  const sample = toCleanText(content.slice(0, sampleCharacters).toWellFormed())
  return { agentId, threadKey, project, sample, sourceType, nodeId, latestAt }
}
