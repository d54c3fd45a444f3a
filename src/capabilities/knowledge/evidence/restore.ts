import type { EvidenceChange } from '../../../kernel/capability/capability.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Claim } from '../claim.ts'
import type { Entity } from '../entity.ts'
import type { KnowledgeContext } from '../needs.ts'
import { listSlot } from '../store/claims.ts'
import { findByAlias, listNamed } from '../store/entities.ts'
import {
  listAny,
  listBy,
  markCitations,
  markMentions,
  refreshVisibility,
  setWithheld,
} from '../store/evidence.ts'
import { updateRows } from '../store/images.ts'
import { recountMentions } from '../store/mentions.ts'
import { unarchived } from '../write/entities.ts'
import { finishWrites, type GraphWrite } from '../write/graph-write.ts'
import { mergeEntities } from '../write/merge.ts'
import { followEvidence, groupSubjects, listOwnClaims } from './follow.ts'

/** Shows the rows again that the evidence supports. */
export async function restoreWithheld(
  needs: KnowledgeContext,
  db: Db,
  change: EvidenceChange,
): Promise<void> {
  const write = followEvidence(needs, db, change.agentId)
  const subjects = groupSubjects(await markCitations(db, change, null))
  await recountMentions(db, await markMentions(db, change, null))
  const claims = await listAny(db, 'entityAttributes', subjects.claim)
  const links = await listAny(db, 'entityDependencies', subjects.link)
  const aspectIds = [...subjects.aspect, ...claims.map(({ aspectId }) => aspectId)]
  const aspects = await listAny(db, 'entityAspects', [...new Set(aspectIds)])
  const nameConflicts = await restoreEntities(needs, write, [
    ...subjects.entity,
    ...[...claims, ...aspects].map(({ entityId }) => entityId),
    ...links.flatMap(({ sourceEntityId, targetEntityId }) => [sourceEntityId, targetEntityId]),
  ])
  for (const [table, rows] of [
    ['entityAspects', aspects],
    ['entityDependencies', links],
  ] as const)
    await setWithheld(db, table, { ids: rows.map(({ id }) => id), withheldAt: null })
  await restoreClaims(write, claims)
  await restoreOwnClaims(write, change)
  await refreshVisibility(db, 'entityAttributes', subjects.claim)
  await refreshVisibility(db, 'entityDependencies', subjects.link)
  for (const { source, target } of nameConflicts)
    await mergeEntities(write, { target, sources: [source], force: true })
  await finishWrites(needs, write.db, [write])
}

interface NameConflict {
  readonly source: Entity
  readonly target: Entity
}

/** Returns the entities whose name another entity has since; they remain archived. */
async function restoreEntities(
  needs: KnowledgeContext,
  write: GraphWrite,
  candidates: readonly string[],
): Promise<readonly NameConflict[]> {
  const { db, agentId } = write
  const rows = await listAny(db, 'entities', [...new Set(candidates)])
  const nameConflicts: NameConflict[] = []
  const withheld = rows.filter(({ withheldAt }) => withheldAt !== null)
  const ids = withheld.map(({ id }) => id)
  for (const entity of withheld) {
    const { canonicalName } = entity
    const [named] = await listNamed(db, agentId, canonicalName)
    const target = named ?? (await findByAlias(db, agentId, canonicalName))
    const isTaken = target !== undefined && entity.status === 'active'
    if (isTaken) {
      const archived = { status: 'archived', withheldAt: null } as const
      await updateRows(write, { table: 'entities', rows: [entity] }, archived)
      nameConflicts.push({ source: { ...entity, ...archived }, target })
    } else await setWithheld(db, 'entities', { ids: [entity.id], withheldAt: null })
    write.touched.entities.add(entity.id)
    await restoreAliases(write, entity.id)
  }
  if (ids.length > 0)
    for (const one of needs.erasures.list())
      await one.withheld(db, { agentId, ids, withheldAt: null })
  return nameConflicts
}

/** An alias whose name another entity has since remains archived. */
async function restoreAliases(write: GraphWrite, entityId: string): Promise<void> {
  const { db, agentId, at: updatedAt } = write
  for (const alias of await listBy(db, 'entityAliases', 'entityId', [entityId])) {
    if (alias.withheldAt === null) continue
    const named = await listNamed(db, agentId, alias.canonicalAlias)
    const isTaken = named.length > 0 || (await findByAlias(db, agentId, alias.canonicalAlias))
    const status = isTaken ? 'archived' : alias.status
    const set = { withheldAt: null, status, updatedAt }
    await updateRows(write, { table: 'entityAliases', rows: [alias] }, set)
  }
}

async function restoreClaims(write: GraphWrite, claims: readonly Claim[]): Promise<void> {
  for (const claim of claims) {
    write.touched.claims.add(claim.id)
    if (claim.withheldAt === null) continue
    const successor =
      claim.status === 'active' ? await findSuccessor(write, claim, claim.withheldAt) : undefined
    const set = successor
      ? ({ withheldAt: null, status: 'superseded', supersededBy: successor.id } as const)
      : { withheldAt: null }
    await updateRows(write, { table: 'entityAttributes', rows: [claim] }, set)
  }
}

/** The value that replaced the slot while the claim was hidden. */
async function findSuccessor(
  { db, agentId }: GraphWrite,
  claim: Claim,
  since: string | null,
): Promise<Claim | undefined> {
  const values = await listSlot(db, agentId, claim)
  return values.find(
    ({ status, mode, createdAt }) =>
      status === 'active' && mode === 'set' && since !== null && createdAt >= since,
  )
}

/** Recovering the derived memory restores its claim. */
async function restoreOwnClaims(write: GraphWrite, change: EvidenceChange): Promise<void> {
  const { db, at: updatedAt } = write
  for (const claim of await listOwnClaims(db, change)) {
    write.touched.claims.add(claim.id)
    if (claim.status !== 'deleted' || claim.withheldAt !== null) continue
    const current = await findSuccessor(write, claim, claim.archivedAt)
    const { status, ...archive } = unarchived
    const set = current
      ? ({ ...archive, status: 'superseded', supersededBy: current.id, updatedAt } as const)
      : { ...archive, status, supersededBy: null, updatedAt }
    await updateRows(write, { table: 'entityAttributes', rows: [claim] }, set)
  }
}
