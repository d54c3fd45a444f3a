import type { EvidenceChange } from '../../../kernel/capability/capability.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { settleAll } from '../../../kernel/db/transaction.ts'
import type { Claim } from '../claim.ts'
import type { KnowledgeContext } from '../needs.ts'
import { markCitations, markMentions, refreshVisibility } from '../store/evidence.ts'
import { updateRows } from '../store/images.ts'
import { recountMentions } from '../store/mentions.ts'
import { syncNames } from '../store/names.ts'
import {
  withholdAspects,
  withholdClaims,
  withholdEntities,
  withholdLinks,
} from '../store/withheld.ts'
import { archivedFields } from '../write/archive.ts'
import { finishWrites, type GraphWrite } from '../write/graph-write.ts'
import { followEvidence, groupSubjects, listOwnClaims } from './follow.ts'

/** Hides the rows that no live evidence supports any more. */
export async function withholdRows(
  needs: KnowledgeContext,
  db: Db,
  change: EvidenceChange,
): Promise<void> {
  const write = followEvidence(needs, db, change.agentId)
  // Independent statements are sent together.
  const [cited, mentionedIds, ownClaims] = await Promise.all([
    markCitations(db, change, write.at),
    markMentions(db, change, write.at),
    listOwnClaims(db, change),
  ])
  const subjects = groupSubjects(cited)
  await archiveOwnClaims(write, ownClaims)
  const at = { withheldAt: write.at }
  const [claims, links] = await Promise.all([
    withholdClaims(db, { ...at, ids: subjects.claim }),
    withholdLinks(db, { ...at, ids: subjects.link }),
    recountMentions(db, mentionedIds),
  ])
  // Withheld rows get their visibility when they return.
  await refreshVisibility(db, 'entityAttributes', without(subjects.claim, claims))
  await refreshVisibility(db, 'entityDependencies', without(subjects.link, links))
  for (const id of subjects.claim) write.touched.claims.add(id)
  // A derived memory follows its claim, not the owners of the claim.
  await settleAll([
    withholdOwners(needs, write, { subjects, claims, links }),
    finishWrites(needs, write.db, [write]),
  ])
}

interface HiddenRows {
  readonly subjects: ReturnType<typeof groupSubjects>
  readonly claims: Awaited<ReturnType<typeof withholdClaims>>
  readonly links: Awaited<ReturnType<typeof withholdLinks>>
}

/** Hides the aspects and entities that lose their last row or source. */
async function withholdOwners(
  needs: KnowledgeContext,
  write: GraphWrite,
  { subjects, claims, links }: HiddenRows,
): Promise<void> {
  const { db, agentId, at: withheldAt } = write
  const aspectIds = [...subjects.aspect, ...claims.map(({ aspectId }) => aspectId)]
  const aspects = await withholdAspects(db, { withheldAt, ids: [...new Set(aspectIds)] })
  const entityIds = [
    ...subjects.entity,
    ...[...claims, ...aspects].map(({ entityId }) => entityId),
    ...links.flatMap(({ sourceEntityId, targetEntityId }) => [sourceEntityId, targetEntityId]),
  ]
  const hiddenIds = await withholdEntities(db, { withheldAt, ids: [...new Set(entityIds)] })
  await settleAll([announceWithheld(needs, write, hiddenIds), syncNames(db, agentId, hiddenIds)])
}

function without(
  ids: readonly string[],
  excluded: readonly { readonly id: string }[],
): readonly string[] {
  const excludedIds = new Set(excluded.map(({ id }) => id))
  return ids.filter((id) => !excludedIds.has(id))
}

/** Forgetting the derived memory archives its claim. */
async function archiveOwnClaims(write: GraphWrite, claims: readonly Claim[]): Promise<void> {
  const rows = claims.filter(({ status }) => status !== 'deleted')
  const { proposalId, ...archived } = archivedFields(write, { reason: 'derived memory forgotten' })
  const set = { ...archived, status: 'deleted' } as const
  await updateRows(write, { table: 'entityAttributes', rows }, set)
}

async function announceWithheld(
  { erasures }: KnowledgeContext,
  { db, agentId, at: withheldAt }: GraphWrite,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  for (const one of erasures.list()) await one.withheld(db, { agentId, ids, withheldAt })
}
