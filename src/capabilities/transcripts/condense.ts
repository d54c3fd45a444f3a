import { hash } from 'node:crypto'
import type { Db } from '../../kernel/db/database.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import { type CondenseNeeds, enqueueRewrite } from './condense-by-model.ts'
import { linkChildren, listUncondensed, upsertSummary } from './store/summaries.ts'
import { countTokens, type Summary } from './summary.ts'

/** Children of one node at each depth: sessions form an arc, arcs an epoch. */
const levels = [
  { size: 8, kind: 'arc' },
  { size: 4, kind: 'epoch' },
] as const
/** Characters of each child in the content of its parent. */
const maxExcerptLength = 200

/**
 * Condenses the oldest nodes of a project once there are enough, in the caller's transaction. The
 * text is the beginning of each child; a job lets a model rewrite it later.
 */
export async function condense(
  needs: CondenseNeeds,
  db: Db,
  { agentId, project }: Pick<Summary, 'agentId' | 'project'>,
): Promise<void> {
  if (project === null) return
  for (const [depth, { size, kind }] of levels.entries()) {
    const children = await listUncondensed(db, { agentId, project, depth, limit: size })
    if (children.length < size) return
    const createdAt = needs.host.now().toISOString()
    const node = { ...condenseNodes(children, kind), agentId, project, depth: depth + 1, createdAt }
    await upsertSummary(db, node)
    await linkChildren(
      db,
      node,
      children.map(({ id }) => id),
    )
    await enqueueRewrite(needs, db, node)
  }
}

type Condensed = Omit<Summary, 'agentId' | 'project' | 'depth' | 'createdAt'>

/** The id is a hash of the children, so repeated runs create the same node. */
function condenseNodes(children: readonly Summary[], kind: Summary['kind']): Condensed {
  const ids = children.map(({ id }) => id)
  const digest = hash('sha256', ids.join('\0'))
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
  const excerpt = sliceText(content.replaceAll(/\s+/g, ' ').trim(), 0, maxExcerptLength)
  return `- ${latestAt.slice(0, 10)}: ${excerpt}`
}
