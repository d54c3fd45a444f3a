import type { Caller } from '../../kernel/auth/caller.ts'
import { isInProject } from '../../kernel/auth/permission.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { redactStrictly } from '../../kernel/redaction/redact.ts'
import { makeExcerpt } from './excerpt.ts'
import type { LinkedMemory, TranscriptsNeeds } from './needs.ts'
import { findSummary, listChildren, listLinkedIds, listParents } from './store/summaries.ts'
import { findTranscript } from './store/transcripts.ts'
import type { Summary } from './summary.ts'

export interface ExpandSummary {
  readonly id: string
  readonly includeTranscript: boolean
  /** Characters. */
  readonly transcriptCharLimit: number
}

export interface ExpandedSummary {
  readonly node: Summary
  readonly parents: readonly Summary[]
  readonly children: readonly Summary[]
  readonly linkedMemories: readonly LinkedMemory[]
  readonly transcript: ExpandedTranscript | null
}

interface ExpandedTranscript {
  readonly sessionKey: string
  readonly harness: string
  readonly project: string | null
  readonly updatedAt: string
  readonly excerpt: string
  readonly content: string
}

const limits = { memories: 25, excerpt: 420 } as const
const minTranscriptLength = 400

/** A summary with its parents, children, linked memories and transcript. */
export async function expandSummary(
  { db, readMemories }: Pick<TranscriptsNeeds, 'db' | 'readMemories'>,
  caller: Caller,
  { id, includeTranscript, transcriptCharLimit }: ExpandSummary,
): Promise<ExpandedSummary> {
  const { agentId } = caller
  const isVisible = ({ project }: Summary) => isInProject(caller, project)
  const node = await findSummary(db, { agentId, id })
  if (!node || !isVisible(node))
    throw new Refusal('not_found', 'not_found', 'summary node not found')
  const linkedIds = await listLinkedIds(db, { agentId, id, limit: limits.memories })
  return {
    node: redactNode(node),
    parents: (await listParents(db, node)).filter(isVisible).map(redactNode),
    children: (await listChildren(db, node)).filter(isVisible).map(redactNode),
    linkedMemories: await readMemories(caller, linkedIds),
    transcript: includeTranscript
      ? await readTranscriptOf(
          { db, caller },
          node,
          Math.max(minTranscriptLength, transcriptCharLimit),
        )
      : null,
  }
}

async function readTranscriptOf(
  { db, caller }: Pick<TranscriptsNeeds, 'db'> & { readonly caller: Caller },
  { agentId, sessionKey }: Summary,
  limit: number,
): Promise<ExpandedTranscript | null> {
  const stored = sessionKey === null ? undefined : await findTranscript(db, { agentId, sessionKey })
  if (!stored || !isInProject(caller, stored.project)) return null
  const { harness, project, updatedAt } = stored
  // Redaction precedes the cut, so no credential is split.
  const content = redactStrictly(stored.content.slice(0, limit * 2)).text
  const isCut = { before: false, after: content.length > limits.excerpt }
  return {
    ...{ sessionKey: stored.sessionKey, harness, project, updatedAt },
    excerpt: makeExcerpt(content, { words: [], isCut, maxLength: limits.excerpt }),
    content: content.slice(0, limit).toWellFormed(),
  }
}

function redactNode(node: Summary): Summary {
  return { ...node, content: toCleanText(node.content) }
}
