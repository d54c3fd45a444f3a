import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject, isInProject } from '../../kernel/auth/permission.ts'
import type { Db } from '../../kernel/db/database.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { toWireNames } from '../../kernel/http/wire-values.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { redactStrictly } from '../../kernel/redaction/redact.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { type expandBody, toNode } from './schemas.ts'
import { makeExcerpt } from './search.ts'
import {
  countChildren,
  countSummaries,
  findSummary,
  linkChildren,
  listChildren,
  listLinkedIds,
  listParents,
  listSummaries,
  listUncondensed,
  type SummaryFilter,
  upsertSummary,
  upsertThreadHead,
} from './store/summaries.ts'
import { findTranscript } from './store/transcripts.ts'
import { countTokens, type Summary, toThreadHead } from './summary.ts'

/** Saves a node. The newest node of a thread is its head. */
export async function saveSummary(db: Db, summary: Summary): Promise<void> {
  await upsertSummary(db, summary)
  await upsertThreadHead(db, toThreadHead(summary))
}

/** Children of one node at each depth: sessions form an arc, arcs an epoch. */
const levels = [
  { size: 8, kind: 'arc' },
  { size: 4, kind: 'epoch' },
] as const
/** Characters of each child in the content of its parent. */
const maxExcerptLength = 200

/** Condenses the oldest nodes of a project once there are enough, in the caller's transaction. */
export async function condense(
  { host }: Pick<TranscriptsNeeds, 'host'>,
  db: Db,
  { agentId, project }: Pick<Summary, 'agentId' | 'project'>,
): Promise<void> {
  if (project === null) return
  for (const [depth, { size, kind }] of levels.entries()) {
    const children = await listUncondensed(db, { agentId, project, depth, limit: size })
    if (children.length < size) return
    const createdAt = host.now().toISOString()
    const node = { ...condenseNodes(children, kind), agentId, project, depth: depth + 1, createdAt }
    await upsertSummary(db, node)
    await linkChildren(
      db,
      node,
      children.map(({ id }) => id),
    )
  }
}

type Condensed = Omit<Summary, 'agentId' | 'project' | 'depth' | 'createdAt'>

/** The id is a hash of the children, so repeated runs create the same node. */
function condenseNodes(children: readonly Summary[], kind: Summary['kind']): Condensed {
  const ids = children.map(({ id }) => id)
  const digest = createHash('sha256').update(ids.join('\0')).digest('hex')
  const content = toCleanText(children.map(toLine).join('\n'))
  const earliest = children.map(({ earliestAt }) => earliestAt).toSorted()
  const latest = children.map(({ latestAt }) => latestAt).toSorted()
  return {
    id: `${kind}:${digest.slice(0, 32)}`,
    kind,
    content,
    tokenCount: countTokens(content),
    earliestAt: earliest[0] ?? '',
    latestAt: latest.at(-1) ?? '',
    sessionKey: null,
    harness: null,
    sourceType: 'condensation',
    sourceRef: null,
    metaJson: JSON.stringify({ source: 'condensation', children: ids.length }),
  }
}

function toLine({ latestAt, content }: Summary): string {
  const excerpt = content.replaceAll(/\s+/g, ' ').trim().slice(0, maxExcerptLength).toWellFormed()
  return `- ${latestAt.slice(0, 10)}: ${excerpt}`
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
  if (!node || !isVisible(node))
    throw new Refusal('not_found', 'not_found', 'summary node not found')
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
    content: content.slice(0, limit).toWellFormed(),
  }
}

function toRedactedNode(node: Summary) {
  return toNode({ ...node, content: toCleanText(node.content) })
}
