import type { Aspect } from '../aspect.ts'
import { type Claim, hashQuote, laterOf } from '../claim.ts'
import { listCitations, listClaims } from '../store/claims.ts'
import { insertRows, updateRows } from '../store/images.ts'
import type { GraphWrite } from './graph-write.ts'

/**
 * Moves claims into an aspect. An equal active value of the same slot becomes one with both
 * citations. If both sides are set, the newer assertion remains active.
 */
export async function foldClaims(
  write: GraphWrite,
  moved: readonly Claim[],
  into: Aspect,
): Promise<void> {
  const { db, agentId, at: updatedAt } = write
  const own = await listClaims(db, agentId, { aspectId: into.id })
  const slots = Map.groupBy(own, slotOf)
  const set = { entityId: into.entityId, aspectId: into.id, updatedAt }
  await updateRows(write, { table: 'entityAttributes', rows: moved }, set)
  for (const [slot, values] of Map.groupBy(moved, slotOf)) {
    const claims = values.map((claim) => ({ ...claim, ...set }))
    await foldSlot(write, slots.get(slot) ?? [], claims)
  }
}

function slotOf({ groupKey, claimKey }: Claim): string {
  return JSON.stringify([groupKey, claimKey])
}

async function foldSlot(
  write: GraphWrite,
  own: readonly Claim[],
  moved: readonly Claim[],
): Promise<void> {
  const isActive = ({ status }: Claim) => status === 'active'
  const [ownActive, movedActive] = [own.filter(isActive), moved.filter(isActive)]
  const equalTo = (claim: Claim) =>
    ownActive.find(({ normalizedContent }) => normalizedContent === claim.normalizedContent)
  for (const claim of movedActive) {
    const equal = equalTo(claim)
    if (equal) await foldEqual(write, claim, equal)
  }
  const [mine, ...rest] = ownActive
  const [theirs, ...others] = movedActive.filter((claim) => !equalTo(claim))
  if (!mine || !theirs || rest.length + others.length > 0) return
  if (mine.mode !== 'set' || theirs.mode !== 'set') return
  const [newer, older] =
    theirs.assertedAt > mine.assertedAt && mine.pinned === 0 ? [theirs, mine] : [mine, theirs]
  if (older.pinned === 0) await supersedeOne(write, older, newer.id)
}

async function foldEqual(write: GraphWrite, claim: Claim, equal: Claim): Promise<void> {
  const all = await listCitations(write.db, 'claim', [equal.id, claim.id])
  const bySubject = Map.groupBy(all, ({ subjectId }) => subjectId)
  const [ownCitations, citations] = [bySubject.get(equal.id), bySubject.get(claim.id)]
  const identify = (one: { sourceKind: string; sourceId: string; quote: string }) =>
    JSON.stringify([one.sourceKind, one.sourceId, hashQuote(one.quote)])
  const known = new Set(ownCitations?.map(identify))
  const added = (citations ?? [])
    .filter((citation) => !known.has(identify(citation)))
    .map((citation) => ({ ...citation, subjectId: equal.id }))
  await insertRows(write, 'knowledgeCitations', added)
  const { at: updatedAt } = write
  const set = {
    confidence: Math.max(equal.confidence, claim.confidence),
    pinned: Math.max(equal.pinned, claim.pinned) as 0 | 1,
    assertedAt: laterOf(equal.assertedAt, claim.assertedAt),
    visibility: claim.visibility === 'private' ? claim.visibility : equal.visibility,
    updatedAt,
  }
  await updateRows(write, { table: 'entityAttributes', rows: [equal] }, set)
  write.touched.claims.add(equal.id)
  await supersedeOne(write, claim, equal.id)
}

async function supersedeOne(write: GraphWrite, claim: Claim, supersededBy: string): Promise<void> {
  const set = { status: 'superseded', supersededBy, updatedAt: write.at } as const
  await updateRows(write, { table: 'entityAttributes', rows: [claim] }, set)
  write.touched.claims.add(claim.id)
}
