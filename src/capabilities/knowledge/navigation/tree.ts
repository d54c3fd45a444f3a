import type { z } from 'zod'
import type { Db } from '../../../kernel/db/database.ts'
import { readEvidence } from '../evidence/citations.ts'
import { listAspects, listSlots, type Slot } from '../store/slots.ts'
import { describeEntity } from './read-entities.ts'
import { type claimsReply, type groupsReply, toAspectRecord, type treeReply } from './replies.ts'
import { resolveEntity } from './resolve.ts'

interface TreeLimits {
  readonly depth: number
  readonly maxAspects: number
  readonly maxGroups: number
  readonly maxClaims: number
}

/** The outline of an entity: aspects, their groups, and claim slots with a preview. */
export async function readTree(
  db: Db,
  caller: { readonly agentId: string },
  { entity: name, limits }: { readonly entity: string; readonly limits: TreeLimits },
): Promise<z.input<typeof treeReply>> {
  const entity = await resolveEntity(db, caller, name)
  const page = { entityId: entity.id, limit: limits.maxAspects }
  const [aspects, described] = await Promise.all([
    listAspects(db, caller.agentId, page),
    describeEntity(db, entity),
  ])
  const aspectIds = aspects.map(({ id }) => id)
  const [slots, evidenceOf] = await Promise.all([
    listSlots(db, { aspectIds, limit: limits.depth > 2 ? limits.maxClaims : 1 }),
    readEvidence(db, 'aspect', aspectIds),
  ])
  const slotsOf = Map.groupBy(slots, ({ aspectId }) => aspectId)
  const items = aspects.map((aspect) => ({
    aspect: toAspectRecord(aspect, evidenceOf(aspect.id)),
    ...outline(slotsOf.get(aspect.id) ?? [], limits),
  }))
  return { entity: described, items, limits }
}

function outline(slots: readonly Slot[], { depth, maxGroups }: TreeLimits) {
  const groups = [...Map.groupBy(slots, ({ groupKey }) => groupKey).values()].flatMap((claims) =>
    claims[0] ? [{ group: toGroup(claims[0]), claims }] : [],
  )
  const shownGroups = groups.slice(0, maxGroups).map(({ group, claims }) => ({
    ...group,
    ...(depth > 2 && { claims: claims.map(toClaim) }),
  }))
  const sum = (count: 'attributeCount' | 'constraintCount' | 'claimCount') =>
    groups.reduce((total, { group }) => total + group[count], 0)
  return {
    attributeCount: sum('attributeCount'),
    constraintCount: sum('constraintCount'),
    groupCount: groups.length,
    claimCount: sum('claimCount'),
    ...(depth > 1 && { groups: shownGroups }),
  }
}

/** The group of a slot. */
export function toGroup(slot: Slot): z.input<typeof groupsReply>['items'][number] {
  return {
    groupKey: slot.groupKey,
    attributeCount: slot.groupAttributes,
    constraintCount: slot.groupConstraints,
    claimCount: slot.groupClaims,
    latestUpdatedAt: slot.groupUpdatedAt,
  }
}

export function toClaim(
  slot: Slot,
): Omit<z.input<typeof claimsReply>['items'][number], 'groupKey'> {
  const { claimKey, attributeCount, constraintCount, activeCount, supersededCount } = slot
  const { latestUpdatedAt, preview } = slot
  const counts = { attributeCount, constraintCount, activeCount, supersededCount }
  return { claimKey, ...counts, latestUpdatedAt, preview }
}
