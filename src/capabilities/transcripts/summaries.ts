import type { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject, isInProject } from '../../kernel/auth/permission.ts'
import type { Db } from '../../kernel/db/database.ts'
import { notFound } from '../../kernel/errors/refusal.ts'
import { toWireNames } from '../../kernel/http/wire-values.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { redactStrictly } from '../../kernel/redaction/redact.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { type expandBody, toNode } from './schemas.ts'
import { makeExcerpt } from './search.ts'
import {
  countChildren,
  countSummaries,
  findSummary,
  listChildren,
  listLinkedIds,
  listParents,
  listSummaries,
  type SummaryFilter,
  upsertSummary,
  upsertThreadHead,
} from './store/summaries.ts'
import { findTranscript } from './store/transcripts.ts'
import { type Summary, toThreadHead } from './summary.ts'

/** Saves a node. The newest node of a thread is its head. */
export async function saveSummary(db: Db, summary: Summary): Promise<void> {
  await upsertSummary(db, summary)
  await upsertThreadHead(db, toThreadHead(summary))
}

export async function readSummaries(
  { db }: Pick<TranscriptsNeeds, 'db'>,
  caller: Caller,
  {
    limit,
    offset,
    ...filters
  }: Partial<SummaryFilter> & { readonly limit: number; readonly offset: number },
) {
  if (filters.project !== undefined) assertInProject(caller, filters.project)
  const { agentId, scope } = caller
  const filter = { ...filters, agentId, project: filters.project ?? scope.project }
  const page = await listSummaries(db, filter, { limit, offset })
  const children = await countChildren(
    db,
    agentId,
    page.map(({ id }) => id),
  )
  const summaries = page.map((summary) => ({
    ...toWireNames(summary),
    childCount: children.get(summary.id) ?? 0,
  }))
  return { summaries, total: await countSummaries(db, filter) }
}

const limits = { memories: 25, excerpt: 420 } as const
const minTranscriptLength = 400

/** A summary with its parents, children, linked memories and transcript. */
export async function expandSummary(
  { db, readMemories }: Pick<TranscriptsNeeds, 'db' | 'readMemories'>,
  caller: Caller,
  { id, includeTranscript, transcriptCharLimit }: z.output<typeof expandBody>,
) {
  const { agentId } = caller
  const isVisible = ({ project }: Summary) => isInProject(caller, project)
  const node = await findSummary(db, { agentId, id })
  if (!node || !isVisible(node)) throw notFound('summary node not found')
  const linkedIds = await listLinkedIds(db, { agentId, id, limit: limits.memories })
  return {
    node: toRedactedNode(node),
    parents: (await listParents(db, node)).filter(isVisible).map(toRedactedNode),
    children: (await listChildren(db, node)).filter(isVisible).map(toRedactedNode),
    linkedMemories: [...(await readMemories(caller, linkedIds))],
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
) {
  const stored = sessionKey === null ? undefined : await findTranscript(db, { agentId, sessionKey })
  if (!stored || !isInProject(caller, stored.project)) return null
  const { harness, project, updatedAt } = stored
  // Redaction precedes the cut, so no credential is split.
  const content = redactStrictly(stored.content.slice(0, limit * 2)).text
  const isCut = { before: false, after: content.length > limits.excerpt }
  return {
    sessionKey: stored.sessionKey,
    harness,
    project,
    updatedAt,
    excerpt: makeExcerpt(content, { words: [], isCut, maxLength: limits.excerpt }),
    content: sliceText(content, 0, limit),
  }
}

function toRedactedNode(node: Summary) {
  return toNode({ ...node, content: toCleanText(node.content) })
}
