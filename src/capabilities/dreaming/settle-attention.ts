import type { Db } from '../../kernel/db/database.ts'
import { reviewNoticeMs } from './enqueue-attention.ts'
import { listFeeds, parseCursor } from './evidence/feeds.ts'
import type { DreamingNeeds } from './needs.ts'
import { listPendingAttention, resolveAttention } from './store/attention.ts'
import { countPendingOf, readState } from './store/evidence.ts'
import type { AttentionRow } from './store/rows.ts'

const maxItems = 1_000

interface Settling {
  readonly agentId: string
  readonly passId: string
  readonly completedAt: string
}

/** Resolves items that need no decision any more, because the graph or the evidence has changed. */
export async function settleAttention(
  needs: DreamingNeeds,
  db: Db,
  { agentId, passId: resolvedBy, completedAt: resolvedAt }: Settling,
): Promise<void> {
  const items = await listPendingAttention(db, agentId, maxItems)
  const settled = [
    ...(await listSettledClaims(needs, db, { agentId, items, now: resolvedAt })),
    ...(await listSettledMemories(needs, db, { agentId, items, now: resolvedAt })),
    ...(await listSettledSources(needs, db, { agentId, items })),
  ]
  for (const { id } of settled)
    await resolveAttention(db, { agentId, id }, { resolvedBy, resolvedAt })
}

interface Items {
  readonly agentId: string
  readonly items: readonly AttentionRow[]
}

const toId = ({ subjectRef }: AttentionRow) => subjectRef.slice(subjectRef.indexOf(':') + 1)
const detailsOf = ({ details }: AttentionRow): Readonly<Record<string, string>> =>
  JSON.parse(details)
const noticeEnd = (now: string) => new Date(Date.parse(now) + reviewNoticeMs).toISOString()

/** Claims that were superseded, ended or restated, and contradictions with such claims. */
async function listSettledClaims(
  { knowledge }: DreamingNeeds,
  db: Db,
  { agentId, items, now }: Items & { readonly now: string },
): Promise<AttentionRow[]> {
  const claims = items.filter(({ subjectRef }) => subjectRef.startsWith('attribute:'))
  const ids = claims.flatMap((item) => [toId(item), detailsOf(item)['other'] ?? []].flat())
  const rows = await knowledge.ledger.listClaimsById(db, agentId, [...new Set(ids)])
  const active = new Map(
    rows.flatMap((row) => (row.status === 'active' ? [[row.id, row] as const] : [])),
  )
  return claims.filter((item) => {
    const claim = active.get(toId(item))
    const { other } = detailsOf(item)
    if (!claim || (other !== undefined && !active.has(other))) return true
    if (item.kind !== 'review_due') return false
    return claim.reviewAfter === null || claim.reviewAfter >= noticeEnd(now)
  })
}

/** Memories that are gone, or whose review is later. */
async function listSettledMemories(
  { memory }: DreamingNeeds,
  db: Db,
  { agentId, items, now }: Items & { readonly now: string },
): Promise<AttentionRow[]> {
  const settled: AttentionRow[] = []
  for (const item of items) {
    if (item.kind !== 'review_due' || !item.subjectRef.startsWith('memory:')) continue
    const found = await memory.findEvidence(db, agentId, toId(item))
    if (!found?.reviewAfter || found.reviewAfter >= noticeEnd(now)) settled.push(item)
  }
  return settled
}

/** Imports whose artifacts have all been read. A removed source has taken its claims with it. */
async function listSettledSources(
  needs: DreamingNeeds,
  db: Db,
  { agentId, items }: Items,
): Promise<AttentionRow[]> {
  const sources = items.filter(({ subjectRef }) => subjectRef.startsWith('source:'))
  if (sources.length === 0) return []
  const isRead = await areArtifactsRead(needs, db, agentId)
  return sources.filter((item) => {
    const { reason } = detailsOf(item)
    return reason === 'import-source-removed' || (reason === 'import-completed' && isRead)
  })
}

async function areArtifactsRead(needs: DreamingNeeds, db: Db, agentId: string): Promise<boolean> {
  if ((await countPendingOf(db, agentId, 'artifact')) > 0) return false
  const state = await readState(db, agentId)
  for (const { kind, cursor, sum } of listFeeds(needs)) {
    if (kind !== 'artifact') continue
    if ((await sum(db, agentId, parseCursor(state[cursor]))).count > 0) return false
  }
  return true
}
