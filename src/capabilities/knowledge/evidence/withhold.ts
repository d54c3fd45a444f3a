import type { EvidenceChange } from '../../../kernel/capability/capability.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { settleAll } from '../../../kernel/db/transaction.ts'
import type { Claim } from '../claim.ts'
import type { KnowledgeContext } from '../needs.ts'
import {
  listAny,
  listBy,
  listHolders,
  listSupported,
  markCitations,
  markMentions,
  refreshVisibility,
  setWithheld,
} from '../store/evidence.ts'
import { updateRows } from '../store/images.ts'
import { recountMentions } from '../store/mentions.ts'
import { archivedFields } from '../write/archive.ts'
import { finishWrites, type GraphWrite } from '../write/graph-write.ts'
import { followEvidence, groupSubjects, listOwnClaims, subjectTables } from './follow.ts'

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
  const [claims, links] = await Promise.all([
    withholdUnsupported(write, 'claim', subjects.claim),
    withholdUnsupported(write, 'link', subjects.link),
    recountMentions(db, mentionedIds),
  ])
  // Withheld rows get their visibility when they return.
  await refreshVisibility(db, 'entityAttributes', without(subjects.claim, claims))
  await refreshVisibility(db, 'entityDependencies', without(subjects.link, links))
  for (const id of subjects.claim) write.touched.claims.add(id)
  const aspects = await withholdAspects(write, [
    ...subjects.aspect,
    ...claims.map(({ aspectId }) => aspectId),
  ])
  const hiddenIds = await withholdEntities(write, [
    ...subjects.entity,
    ...claims.map(({ entityId }) => entityId),
    ...aspects.map(({ entityId }) => entityId),
    ...links.flatMap(({ sourceEntityId, targetEntityId }) => [sourceEntityId, targetEntityId]),
  ])
  await settleAll([
    announceWithheld(needs, write, hiddenIds),
    finishWrites(needs, write.db, [write]),
  ])
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

/** Returns the withheld rows. */
async function withholdUnsupported<Type extends 'claim' | 'link'>(
  { db, at: withheldAt }: GraphWrite,
  type: Type,
  ids: readonly string[],
) {
  const supported = await listSupported(db, { type, ids, live: true })
  const unsupported = ids.filter((id) => !supported.has(id))
  const table = subjectTables[type]
  const [rows] = await Promise.all([
    listAny(db, table, unsupported),
    setWithheld(db, table, { ids: unsupported, withheldAt }),
  ])
  return rows
}

async function withholdAspects({ db, at: withheldAt }: GraphWrite, candidates: readonly string[]) {
  const all = [...new Set(candidates)]
  const [supported, holders] = await Promise.all([
    listSupported(db, { type: 'aspect', ids: all, live: true }),
    listHolders(db, 'aspectId', all),
  ])
  const ids = all.filter((id) => !supported.has(id) && !holders.has(id))
  const [rows] = await Promise.all([
    listAny(db, 'entityAspects', ids),
    setWithheld(db, 'entityAspects', { ids, withheldAt }),
  ])
  return rows
}

/** Returns the ids of the withheld entities. */
async function withholdEntities(
  write: GraphWrite,
  candidates: readonly string[],
): Promise<readonly string[]> {
  const { db, at: withheldAt } = write
  const all = [...new Set(candidates)]
  const [supported, holders, rows] = await Promise.all([
    listSupported(db, { type: 'entity', ids: all, live: true }),
    listHolders(db, 'entityId', all),
    listAny(db, 'entities', all),
  ])
  const ids = rows
    .filter(({ id, pinned }) => pinned === 0 && !supported.has(id) && !holders.has(id))
    .map(({ id }) => id)
  const [aliases] = await Promise.all([
    listBy(db, 'entityAliases', 'entityId', ids),
    setWithheld(db, 'entities', { ids, withheldAt }),
  ])
  await setWithheld(db, 'entityAliases', { ids: aliases.map(({ id }) => id), withheldAt })
  for (const id of ids) write.touched.entities.add(id)
  return ids
}

async function announceWithheld(
  { erasures }: KnowledgeContext,
  { db, agentId, at: withheldAt }: GraphWrite,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  for (const one of erasures.list()) await one.withheld(db, { agentId, ids, withheldAt })
}
