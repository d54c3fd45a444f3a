import { hash } from 'node:crypto'
import type { Db } from '../../../kernel/db/database.ts'
import { toRef } from '../evidence/evidence.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { Mention } from '../rules/choose-mentions.ts'

/** What a page stores: places of evidence, never words. */
export interface PageParts {
  /** References of all sources that the page shows. */
  readonly refs: readonly string[]
  readonly mentions: readonly Mention[]
}

export type PageClaim = Awaited<ReturnType<typeof listPageClaims>>[number]

/** The claims of an entity that a source supports, in any status, with their quotes. */
export async function listPageClaims(
  { knowledge }: Pick<DreamingNeeds, 'knowledge'>,
  db: Db,
  { agentId, entityId }: { readonly agentId: string; readonly entityId: string },
) {
  const rows = await knowledge.ledger.listClaimsOf(db, agentId, [entityId])
  const ids = rows.map(({ id }) => id)
  const citations = await knowledge.ledger.listClaimCitations(db, agentId, ids)
  const byClaim = Map.groupBy(citations, ({ subjectId }) => subjectId)
  return rows
    .filter(({ status }) => status !== 'deleted')
    .map((row) => ({
      id: row.id,
      aspect: row.aspect,
      key: row.claimKey,
      slot: `${row.aspect} · ${row.claimKey}`,
      value: row.content,
      isActive: row.status === 'active',
      assertedAt: row.assertedAt,
      quotes: (byClaim.get(row.id) ?? []).flatMap(({ sourceKind, sourceId, quote }) =>
        sourceKind === 'ontology_proposal'
          ? []
          : [{ ref: toRef({ sourceKind, sourceId }), sourceKind, sourceId, quote }],
      ),
    }))
    .filter(({ quotes }) => quotes.length > 0)
    .toSorted(compareClaims)
}

function compareClaims(
  one: { readonly slot: string; readonly assertedAt: string; readonly id: string },
  other: { readonly slot: string; readonly assertedAt: string; readonly id: string },
): number {
  return (
    compareTexts(one.slot, other.slot) ||
    compareTexts(one.assertedAt, other.assertedAt) ||
    compareTexts(one.id, other.id)
  )
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

/** Changes when the page would show something else. */
export function digestOf(claims: readonly PageClaim[], parts: PageParts): string {
  const shown = claims.map(({ id, value, isActive, quotes }) => [
    id,
    value,
    isActive,
    quotes.map(({ ref }) => ref),
  ])
  return hash('sha256', JSON.stringify([shown, parts]))
}
