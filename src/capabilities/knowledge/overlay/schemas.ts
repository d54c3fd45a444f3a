import { z } from 'zod'
import * as value from '../../../kernel/http/wire-values.ts'

export const overlayQuery = z.object({
  ...value.ignoredAgent,
  limit: value.integer('limit', { min: 1, max: 300, default: 150 }),
  max_aspects_per_entity: value.integer('max_aspects_per_entity', { min: 1, max: 25, default: 6 }),
  max_attributes_per_aspect: value.integer('max_attributes_per_aspect', {
    min: 1,
    max: 250,
    default: 4,
  }),
  dependency_limit: value.integer('dependency_limit', { min: 0, max: 2_000, default: 500 }),
})

export const hygieneQuery = z.object({
  ...value.ignoredAgent,
  limit: value.integer('limit', { min: 1, max: 500, default: 50 }),
  memory_limit: value.integer('memory_limit', { min: 1, max: 1_000, default: 200 }),
})

const nullable = z.string().nullable()
const count = z.int()
const audited = { status: z.string(), proposalId: nullable }

const attribute = z.object({
  id: z.string(),
  content: z.string(),
  kind: z.string(),
  importance: z.number(),
  memoryId: nullable,
  version: count,
  versionRootId: z.string(),
  previousAttributeId: nullable,
  groupKey: nullable,
  claimKey: nullable,
  sourceKind: nullable,
  sourcePath: nullable,
  proposalEvidenceCount: count,
  ...audited,
})
const aspect = z.object({
  id: z.string(),
  name: z.string(),
  weight: z.number(),
  attributes: z.array(attribute),
  ...audited,
})

/** A pending proposal, as the overlay shows it. */
const overlayProposal = z.object({
  id: z.string(),
  operation: z.string(),
  confidence: z.number(),
  rationale: z.string(),
  evidenceCount: count,
  sourceKind: nullable,
  sourcePath: nullable,
  updatedAt: z.string(),
  targetEntityId: nullable,
  targetEntityName: nullable,
  targetAspectName: nullable,
  preview: nullable,
})
export type OverlayProposal = z.input<typeof overlayProposal>

export const overlayReply = z.object({
  entities: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      entityType: z.string(),
      mentions: count,
      pinned: z.boolean(),
      aspects: z.array(aspect),
      ...audited,
    }),
  ),
  dependencies: z.array(
    z.object({
      sourceEntityId: z.string(),
      targetEntityId: z.string(),
      dependencyType: z.string(),
      strength: z.number(),
      proposalEvidenceCount: count,
      ...audited,
    }),
  ),
  proposals: z.array(overlayProposal),
  metadata: z.object({
    dreaming: z.unknown().nullable(),
    proposals: z.object({ pending: count, appliedRecent: count, failedRecent: count }),
  }),
})

export const hygieneReply = z.object({
  agentId: z.string(),
  suspiciousEntities: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      canonicalName: z.string(),
      entityType: z.string(),
      mentions: count,
      reason: z.string(),
    }),
  ),
  duplicateEntities: z.array(
    z.object({
      canonicalName: z.string(),
      count,
      ids: z.array(z.string()),
      names: z.array(z.string()),
    }),
  ),
  attributeSummary: z.object({
    missingGroupKey: count,
    missingClaimKey: count,
    missingSourceMemory: count,
  }),
  weakClaims: z.array(
    z.object({
      id: z.string(),
      entityId: z.string(),
      entityName: z.string(),
      claimKey: z.string(),
      reason: z.enum(['no_citation', 'superseded_evidence']),
    }),
  ),
  safeMentionCandidates: z.array(
    z.object({
      memoryId: z.string(),
      entityId: z.string(),
      entityName: z.string(),
      mentionText: z.string(),
      snippet: z.string(),
    }),
  ),
})
