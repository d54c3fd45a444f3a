import type { z } from 'zod'
import type { Db } from '../../../kernel/db/database.ts'
import { type Aspect, maxAspects } from '../aspect.ts'
import { maxActiveValues } from '../claim.ts'
import type { Entity } from '../entity.ts'
import { readEvidence } from '../evidence/citations.ts'
import { toCanonicalKey } from '../name.ts'
import { countClaims } from '../store/counts.ts'
import { listAspects, listSlots, listValues, type ValuePage } from '../store/slots.ts'
import { describeEntity } from './read-entities.ts'
import type * as reply from './replies.ts'
import { toAspectRecord, toAttributeRecord } from './replies.ts'
import { resolveAspect, toGroupKey } from './resolve.ts'
import { toClaim, toGroup } from './tree.ts'

interface Owner {
  readonly agentId: string
}

interface Path {
  readonly entity: string
  readonly aspect: string
  readonly group?: string | undefined
}

export async function readAspects(
  db: Db,
  entity: Entity,
): Promise<z.input<typeof reply.aspectItemsReply>> {
  const page = { entityId: entity.id, limit: maxAspects }
  const aspects = await listAspects(db, entity.agentId, page)
  const ids = aspects.map(({ id }) => id)
  const countsOf = await countClaims(db, 'aspectId', ids)
  const evidenceOf = await readEvidence(db, 'aspect', ids)
  const items = aspects.map((aspect) => ({
    aspect: toAspectRecord(aspect, evidenceOf(aspect.id)),
    ...countsOf(aspect.id),
  }))
  return { items }
}

async function describePath(db: Db, { entity, aspect }: { entity: Entity; aspect: Aspect }) {
  const evidenceOf = await readEvidence(db, 'aspect', [aspect.id])
  return {
    entity: await describeEntity(db, entity),
    aspect: toAspectRecord(aspect, evidenceOf(aspect.id)),
  }
}

export async function readGroups(
  db: Db,
  owner: Owner,
  path: Path,
): Promise<z.input<typeof reply.groupsReply>> {
  const resolved = await resolveAspect(db, owner, path)
  const slots = await listSlots(db, { aspectIds: [resolved.aspect.id], limit: 1 })
  return { ...(await describePath(db, resolved)), items: slots.map(toGroup) }
}

export async function readClaims(
  db: Db,
  owner: Owner,
  path: Path,
): Promise<z.input<typeof reply.claimsReply>> {
  const resolved = await resolveAspect(db, owner, path)
  const groupKey = toGroupKey(path.group)
  const page = { aspectIds: [resolved.aspect.id], groupKey, limit: maxActiveValues }
  const slots = await listSlots(db, page)
  const items = slots.map((slot) => ({ ...toClaim(slot), groupKey }))
  return { ...(await describePath(db, resolved)), items }
}

type Filter = Pick<ValuePage, 'status' | 'kind' | 'limit' | 'offset'>

interface SlotPath extends Path, Filter {
  readonly claim: string
}

export async function readAttributes(
  db: Db,
  owner: Owner,
  path: SlotPath,
): Promise<z.input<typeof reply.attributesReply>> {
  const resolved = await resolveAspect(db, owner, path)
  const slot = { groupKey: toGroupKey(path.group), claimKey: toCanonicalKey(path.claim) }
  const values = await readValues(db, resolved.aspect, { ...path, ...slot })
  return { ...(await describePath(db, resolved)), ...values }
}

type ValueFilter = Filter & Partial<Pick<ValuePage, 'groupKey' | 'claimKey'>>

/** Values of an aspect, or of one of its slots. */
export async function readValues(
  db: Db,
  { id: aspectId, agentId }: Aspect,
  filter: ValueFilter,
): Promise<z.input<typeof reply.attributeItemsReply>> {
  const { limit, offset } = filter
  const claims = await listValues(db, { ...filter, agentId, aspectId })
  const evidenceOf = await readEvidence(
    db,
    'claim',
    claims.map(({ id }) => id),
  )
  const items = claims.map((claim) => toAttributeRecord(claim, evidenceOf(claim.id)))
  return { items, limit, offset }
}
