import type { EvidenceChange } from '../../../kernel/capability/capability.ts'
import type { Db } from '../../../kernel/db/database.ts'
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
import { followEvidence, groupSubjects, listOwnClaims } from './follow.ts'

/** Hides the rows that no live evidence supports any more. */
export async function withholdRows(
  needs: KnowledgeContext,
  db: Db,
  change: EvidenceChange,
): Promise<void> {
  const write = followEvidence(needs, db, change.agentId)
  const subjects = groupSubjects(await markCitations(db, change, write.at))
  await recountMentions(db, await markMentions(db, change, write.at))
  await archiveOwnClaims(write, change)
  const claimIds = await withholdUnsupported(write, 'claim', subjects.claim)
  const linkIds = await withholdUnsupported(write, 'link', subjects.link)
  // Withheld rows get their visibility when they return.
  await refreshVisibility(db, 'entityAttributes', without(subjects.claim, claimIds))
  await refreshVisibility(db, 'entityDependencies', without(subjects.link, linkIds))
  for (const id of subjects.claim) write.touched.claims.add(id)
  const claims = await listAny(db, 'entityAttributes', claimIds)
  const links = await listAny(db, 'entityDependencies', linkIds)
  const aspects = await withholdAspects(write, [
    ...subjects.aspect,
    ...claims.map(({ aspectId }) => aspectId),
  ])
  await withholdEntities(needs, write, [
    ...subjects.entity,
    ...claims.map(({ entityId }) => entityId),
    ...aspects.map(({ entityId }) => entityId),
    ...links.flatMap(({ sourceEntityId, targetEntityId }) => [sourceEntityId, targetEntityId]),
  ])
  await finishWrites(needs, write.db, [write])
}

function without(ids: readonly string[], excluded: readonly string[]): readonly string[] {
  const hidden = new Set(excluded)
  return ids.filter((id) => !hidden.has(id))
}

/** Forgetting the derived memory archives its claim. */
async function archiveOwnClaims(write: GraphWrite, change: EvidenceChange): Promise<void> {
  const claims = await listOwnClaims(write.db, change)
  const rows = claims.filter(({ status }) => status !== 'deleted')
  const { proposalId, ...archived } = archivedFields(write, { reason: 'derived memory forgotten' })
  const set = { ...archived, status: 'deleted' } as const
  await updateRows(write, { table: 'entityAttributes', rows }, set)
}

async function withholdUnsupported(
  { db, at: withheldAt }: GraphWrite,
  type: 'claim' | 'link',
  ids: readonly string[],
): Promise<readonly string[]> {
  const supported = await listSupported(db, { type, ids, live: true })
  const unsupported = ids.filter((id) => !supported.has(id))
  const table = type === 'claim' ? 'entityAttributes' : 'entityDependencies'
  await setWithheld(db, table, { ids: unsupported, withheldAt })
  return unsupported
}

async function withholdAspects({ db, at: withheldAt }: GraphWrite, candidates: readonly string[]) {
  const all = [...new Set(candidates)]
  const supported = await listSupported(db, { type: 'aspect', ids: all, live: true })
  const holders = await listHolders(db, 'aspectId', all)
  const ids = all.filter((id) => !supported.has(id) && !holders.has(id))
  await setWithheld(db, 'entityAspects', { ids, withheldAt })
  return listAny(db, 'entityAspects', ids)
}

async function withholdEntities(
  needs: KnowledgeContext,
  write: GraphWrite,
  candidates: readonly string[],
): Promise<void> {
  const { db, at: withheldAt } = write
  const all = [...new Set(candidates)]
  const supported = await listSupported(db, { type: 'entity', ids: all, live: true })
  const holders = await listHolders(db, 'entityId', all)
  const rows = await listAny(db, 'entities', all)
  const ids = rows
    .filter(({ id, pinned }) => pinned === 0 && !supported.has(id) && !holders.has(id))
    .map(({ id }) => id)
  await setWithheld(db, 'entities', { ids, withheldAt })
  const aliases = await listBy(db, 'entityAliases', 'entityId', ids)
  await setWithheld(db, 'entityAliases', { ids: aliases.map(({ id }) => id), withheldAt })
  for (const id of ids) write.touched.entities.add(id)
  const hidden = { agentId: write.agentId, ids, withheldAt }
  if (ids.length > 0) for (const one of needs.erasures.list()) await one.withheld(db, hidden)
}
