import { z } from 'zod'
import type { Aspect } from '../aspect.ts'
import type { Claim } from '../claim.ts'
import type { Entity } from '../entity.ts'
import type { EvidenceItem } from '../evidence/citations.ts'
import type { Link } from '../link.ts'

const nullable = z.string().nullable()
const count = z.int()
const archive = { archivedAt: nullable, archivedBy: nullable, archiveReason: nullable }
const times = { createdAt: z.string(), updatedAt: z.string() }
const source = {
  sourceKind: nullable,
  sourceId: nullable,
  sourcePath: nullable,
  sourceRoot: nullable,
}

const evidenceItem = z.object({
  sourceKind: z.string(),
  sourceId: z.string(),
  quote: z.string(),
  sourceTime: z.string(),
  proposalId: nullable,
})
const audit = { proposalId: nullable, proposalEvidence: z.array(evidenceItem) }

export const entityRecord = z.object({
  id: z.string(),
  name: z.string(),
  canonicalName: z.string(),
  entityType: z.string(),
  agentId: z.string(),
  description: z.string().optional(),
  mentions: count,
  pinned: z.boolean(),
  pinnedAt: nullable,
  status: z.enum(['active', 'archived']),
  ...archive,
  ...audit,
  ...times,
})

export const aspectRecord = z.object({
  id: z.string(),
  entityId: z.string(),
  agentId: z.string(),
  name: z.string(),
  canonicalName: z.string(),
  weight: z.number(),
  status: z.enum(['active', 'archived']),
  ...archive,
  ...audit,
  ...times,
})

export const attributeRecord = z.object({
  id: z.string(),
  aspectId: z.string(),
  agentId: z.string(),
  memoryId: nullable,
  kind: z.enum(['attribute', 'constraint', 'claim']),
  content: z.string(),
  normalizedContent: z.string(),
  groupKey: nullable,
  claimKey: nullable,
  confidence: z.number(),
  importance: z.number(),
  assertedAt: z.string(),
  pinned: z.boolean(),
  status: z.enum(['active', 'superseded', 'deleted']),
  supersededBy: nullable,
  version: count,
  versionRootId: z.string(),
  previousAttributeId: nullable,
  ...archive,
  ...source,
  ...audit,
  ...times,
})

export const dependencyRecord = z.object({
  id: z.string(),
  sourceEntityId: z.string(),
  targetEntityId: z.string(),
  agentId: z.string(),
  aspectId: nullable,
  dependencyType: z.string(),
  strength: z.number(),
  confidence: z.number(),
  reason: nullable,
  status: z.enum(['active', 'archived']),
  ...archive,
  ...source,
  ...audit,
  ...times,
})

type Evidence = readonly EvidenceItem[]

export function toEntityRecord(
  { description, pinned, sourceRoot, withheldAt, ...entity }: Entity,
  proposalEvidence: Evidence,
): z.input<typeof entityRecord> {
  return {
    ...entity,
    ...(description !== null && { description }),
    pinned: pinned === 1,
    proposalEvidence: [...proposalEvidence],
  }
}

export function toAspectRecord(
  { withheldAt, ...aspect }: Aspect,
  proposalEvidence: Evidence,
): z.input<typeof aspectRecord> {
  return { ...aspect, proposalEvidence: [...proposalEvidence] }
}

export function toAttributeRecord(
  { entityId, visibility, reviewAfter, pinned, withheldAt, mode, ...claim }: Claim,
  proposalEvidence: Evidence,
): z.input<typeof attributeRecord> {
  return { ...claim, pinned: pinned === 1, proposalEvidence: [...proposalEvidence] }
}

export function toDependencyRecord(
  { visibility, withheldAt, ...link }: Link,
  proposalEvidence: Evidence,
): z.input<typeof dependencyRecord> {
  return { ...link, proposalEvidence: [...proposalEvidence] }
}

const claimCounts = { attributeCount: count, constraintCount: count }
const structure = { aspectCount: count, ...claimCounts, dependencyCount: count }
const entityItem = z.object({ entity: entityRecord, ...structure })
export const entitiesReply = z.object({ items: z.array(entityItem), limit: count, offset: count })
export const entityReply = entityItem.extend({
  structuralDensity: z.object(structure),
  incomingDependencyCount: count,
  outgoingDependencyCount: count,
})

const claimItem = z.object({
  claimKey: z.string(),
  ...claimCounts,
  activeCount: count,
  supersededCount: count,
  latestUpdatedAt: z.string(),
  preview: nullable,
})
const groupCounts = { claimCount: count, latestUpdatedAt: z.string() }
const groupItem = z.object({ groupKey: z.string(), ...claimCounts, ...groupCounts })

export const treeReply = z.object({
  entity: entityRecord,
  items: z.array(
    z.object({
      aspect: aspectRecord,
      ...claimCounts,
      groupCount: count,
      claimCount: count,
      groups: z.array(groupItem.extend({ claims: z.array(claimItem).optional() })).optional(),
    }),
  ),
  limits: z.object({ maxAspects: count, maxGroups: count, maxClaims: count, depth: count }),
})
const aspectItem = z.object({ aspect: aspectRecord, ...claimCounts })
export const aspectsReply = z.object({ entity: entityRecord, items: z.array(aspectItem) })
export const aspectItemsReply = z.object({ items: z.array(aspectItem) })
const path = { entity: entityRecord, aspect: aspectRecord }
export const groupsReply = z.object({ ...path, items: z.array(groupItem) })
export const claimsReply = z.object({
  ...path,
  items: z.array(claimItem.extend({ groupKey: z.string() })),
})
const attributePage = { items: z.array(attributeRecord), limit: count, offset: count }
export const attributesReply = z.object({ ...path, ...attributePage })
export const attributeItemsReply = z.object(attributePage)
export const pinnedReply = z.array(
  z.object({ id: z.string(), name: z.string(), pinnedAt: nullable }),
)
export const dependenciesReply = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      direction: z.enum(['incoming', 'outgoing']),
      dependencyType: z.string(),
      strength: z.number(),
      aspectId: nullable,
      reason: nullable,
      sourceEntityId: z.string(),
      sourceEntityName: z.string(),
      targetEntityId: z.string(),
      targetEntityName: z.string(),
      ...times,
    }),
  ),
})
export const statsReply = z.object({
  entityCount: count,
  aspectCount: count,
  aliasCount: count,
  dependencyCount: count,
  ...claimCounts,
  supersededCount: count,
})
export const expandReply = z.object({
  entity: entityRecord,
  text: z.string(),
  tokens: count,
  truncated: z.boolean(),
})
export const claimEvidenceReply = z.object({
  ...path,
  groupKey: z.string(),
  claimKey: z.string(),
  items: z.array(
    z.object({
      attribute: attributeRecord,
      evidence: z.array(evidenceItem),
      evidenceCount: count,
    }),
  ),
  count,
})
export const linkEvidenceReply = z.object({
  dependency: dependencyRecord,
  items: z.array(evidenceItem),
  count,
})
export const versionsReply = z.object({ ...path, items: z.array(attributeRecord), count })
