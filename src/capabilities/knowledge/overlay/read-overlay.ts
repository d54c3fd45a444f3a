import type { z } from 'zod'
import type { Caller } from '../../../kernel/auth/caller.ts'
import type { KnowledgeContext } from '../needs.ts'
import {
  listOverlayAspects,
  listOverlayClaims,
  listOverlayEntities,
  listOverlayLinks,
  type OverlayScope,
} from '../store/overlay.ts'
import type { overlayReply } from './schemas.ts'

interface OverlayLimits {
  readonly maxEntities: number
  readonly maxAspects: number
  readonly maxAttributes: number
  readonly maxLinks: number
}

/** The bounded graph of the caller's agent, and global rows of agents that share theirs. */
export async function readOverlay(
  needs: KnowledgeContext,
  caller: Caller,
  limits: OverlayLimits,
): Promise<z.input<typeof overlayReply>> {
  const { db } = needs
  const { agentId } = caller
  const scope = await findScope(needs, caller)
  const entities = await listOverlayEntities(db, scope, limits.maxEntities)
  const shownEntities = { agentId, entityIds: entities.map(({ id }) => id) }
  const [claims, aspects, links, { proposals, metadata }] = await Promise.all([
    listOverlayClaims(db, { ...shownEntities, limit: limits.maxAttributes }),
    listOverlayAspects(db, { ...shownEntities, limit: limits.maxAspects }),
    listOverlayLinks(db, { ...shownEntities, limit: limits.maxLinks }),
    readMetadata(needs, agentId),
  ])
  const aspectsOf = Map.groupBy(aspects, ({ entityId }) => entityId)
  const claimsOf = Map.groupBy(claims, ({ aspectId }) => aspectId)
  return {
    entities: entities.map((entity) => ({
      id: entity.id,
      name: entity.name,
      entityType: entity.entityType,
      mentions: entity.mentions,
      pinned: entity.pinned === 1,
      status: entity.status,
      proposalId: entity.proposalId,
      aspects: (aspectsOf.get(entity.id) ?? [])
        .filter(({ id }) => entity.agentId === agentId || claimsOf.has(id))
        .map(({ id, name, weight, status, proposalId }) => ({
          id,
          name,
          weight,
          status,
          proposalId,
          attributes: (claimsOf.get(id) ?? []).map(toAttribute),
        })),
    })),
    dependencies: links.map(toDependency),
    proposals,
    metadata,
  }
}

/** An isolated reader sees its own rows only. */
async function findScope({ agents, db }: KnowledgeContext, caller: Caller): Promise<OverlayScope> {
  const { agentId, policy, groupAgents } = await agents.readScopeOf(db, caller)
  const sharing = policy === 'isolated' ? [] : await agents.listSharing(db)
  const isReadable = (id: string) =>
    id !== agentId && (policy === 'shared' || groupAgents.includes(id))
  return { agentId, otherIds: sharing.filter(isReadable) }
}

type Claims = Awaited<ReturnType<typeof listOverlayClaims>>
type Links = Awaited<ReturnType<typeof listOverlayLinks>>

function toAttribute(claim: Claims[number]) {
  const { id, content, kind, importance, memoryId, version, versionRootId } = claim
  const { previousAttributeId, groupKey, claimKey, sourceKind, sourcePath, proposalId } = claim
  return {
    id,
    content,
    kind,
    importance,
    memoryId,
    status: 'active' as const,
    version,
    versionRootId,
    previousAttributeId,
    groupKey,
    claimKey,
    sourceKind,
    sourcePath,
    proposalId,
    proposalEvidenceCount: claim.evidenceCount,
  }
}

function toDependency(link: Links[number]) {
  const { sourceEntityId, targetEntityId, dependencyType, strength, status, proposalId } = link
  return {
    sourceEntityId,
    targetEntityId,
    dependencyType,
    strength,
    status,
    proposalId,
    proposalEvidenceCount: link.evidenceCount,
  }
}

const noProposals = { pending: 0, appliedRecent: 0, failedRecent: 0 }

async function readMetadata({ overlayMetadata, db }: KnowledgeContext, agentId: string) {
  const parts = await Promise.all(overlayMetadata.list().map((member) => member.read(db, agentId)))
  const merged = Object.assign({}, ...parts.map(({ metadata }) => metadata ?? {}))
  return {
    proposals: parts.flatMap(({ proposals }) => proposals ?? []),
    metadata: { dreaming: null, proposals: noProposals, ...merged },
  }
}
