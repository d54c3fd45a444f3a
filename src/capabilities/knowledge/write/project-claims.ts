import type { Db } from '../../../kernel/db/database.ts'
import type { Author, Projection } from '../../memory/index.ts'
import { type Citation, type Claim, renderClaim } from '../claim.ts'
import type { KnowledgeNeeds } from '../needs.ts'
import { listCitations } from '../store/claims.ts'
import { listProjectable, markProjectedQuery } from '../store/projections.ts'

interface Target {
  readonly db: Db
  readonly agentId: string
  readonly actor: Author
  /** Claims that this transaction has inserted as current ones. */
  readonly insertedIds?: ReadonlySet<string>
}

/** The derived memories of more claims are written by a job. */
export const maxProjections = 200

/** Makes the derived memory of each claim what the claim is now. */
export async function projectClaims(
  { memory }: Pick<KnowledgeNeeds, 'memory'>,
  { db, agentId, actor, insertedIds }: Target,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += maxProjections) {
    const pageIds = ids.slice(at, at + maxProjections)
    const [claims, live, stored] = await Promise.all([
      listProjectable(db, agentId, pageIds),
      listLiveCitations(db, pageIds),
      memory.projections.list(db, pageIds),
    ])
    const known = new Set(claims.map(({ id }) => id))
    const goneIds = pageIds.filter((id) => !known.has(id))
    const rows = claims.map((claim) => ({
      ...toProjection(claim, live.get(claim.id) ?? []),
      wasCurrent: insertedIds?.has(claim.id) ?? false,
    }))
    const followUpWrites = (existing: ReadonlySet<string>) => {
      const projected = claims.filter(({ id, memoryId }) => existing.has(id) && memoryId !== id)
      const ids = projected.map(({ id }) => id)
      return ids.length > 0 ? [markProjectedQuery(db, { ids })] : []
    }
    await memory.projections.save(db, {
      actor,
      rows,
      goneIds,
      storedMemories: stored,
      followUpWrites,
    })
  }
}

async function listLiveCitations(db: Db, claimIds: readonly string[]) {
  const citations = await listCitations(db, 'claim', claimIds)
  return Map.groupBy(
    citations.filter(({ lostAt }) => lostAt === null),
    ({ subjectId }) => subjectId,
  )
}

function toProjection(
  claim: Claim & { readonly entityName: string; readonly successorId: string | null },
  citations: readonly Citation[],
): Projection {
  const isLive = claim.withheldAt === null
  const isSuperseded = claim.status === 'superseded' && claim.successorId !== null
  const state = claim.status === 'active' ? 'current' : isSuperseded ? 'superseded' : 'removed'
  return {
    id: claim.id,
    agentId: claim.agentId,
    project: projectOf(citations),
    visibility: claim.visibility,
    content: renderClaim(claim.entityName, claim),
    importance: claim.importance,
    confidence: claim.confidence,
    reviewAfter: claim.reviewAfter,
    createdAt: claim.assertedAt,
    state: isLive ? state : 'removed',
    supersededBy: isLive && isSuperseded ? claim.successorId : null,
  }
}

/** The project of all evidence where it agrees. */
function projectOf(citations: readonly Citation[]): string | null {
  const projects = new Set(citations.map(({ project }) => project))
  return projects.size === 1 ? ([...projects][0] ?? null) : null
}
