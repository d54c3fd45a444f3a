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

export interface Expanded {
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

const most = { memories: 25, excerpt: 420 } as const
const leastContent = 400

/** What stands above and below a summary, and what it was made of. */
export async function expandSummary(
  { db, memoriesOf }: Pick<TranscriptsNeeds, 'db' | 'memoriesOf'>,
  caller: Caller,
  { id, includeTranscript, transcriptCharLimit }: ExpandSummary,
): Promise<Expanded> {
  const { agentId } = caller
  const isVisible = ({ project }: Summary) => isInProject(caller, project)
  const node = await findSummary(db, { agentId, id })
  if (!node || !isVisible(node))
    throw new Refusal('not_found', 'not_found', 'summary node not found')
  const linked = await listLinkedIds(db, { agentId, id, limit: most.memories })
  return {
    node: toShown(node),
    parents: (await listParents(db, node)).filter(isVisible).map(toShown),
    children: (await listChildren(db, node)).filter(isVisible).map(toShown),
    linkedMemories: await memoriesOf(caller, linked),
    transcript: includeTranscript
      ? await readTranscriptOf({ db, caller }, node, Math.max(leastContent, transcriptCharLimit))
      : null,
  }
}

async function readTranscriptOf(
  { db, caller }: Pick<TranscriptsNeeds, 'db'> & { readonly caller: Caller },
  { agentId, sessionKey }: Summary,
  limit: number,
): Promise<ExpandedTranscript | null> {
  const found = sessionKey === null ? undefined : await findTranscript(db, { agentId, sessionKey })
  if (!found || !isInProject(caller, found.project)) return null
  const { harness, project, updatedAt } = found
  // A secret must not be cut in two before it is looked for.
  const content = redactStrictly(found.content.slice(0, limit * 2)).text
  const isCut = { before: false, after: content.length > most.excerpt }
  return {
    ...{ sessionKey: found.sessionKey, harness, project, updatedAt },
    excerpt: makeExcerpt(content, { words: [], isCut, atMost: most.excerpt }),
    content: content.slice(0, limit).toWellFormed(),
  }
}

function toShown(node: Summary): Summary {
  return { ...node, content: toCleanText(node.content) }
}
