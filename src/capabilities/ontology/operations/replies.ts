import type { Entity, Link } from '../../knowledge/index.ts'

/** The entity as results contain it. */
export function toEntityReply({ agentId, id, name, ...entity }: Entity) {
  const { canonicalName, entityType, description, mentions, pinned, status } = entity
  const { pinnedAt, createdAt, updatedAt } = entity
  return {
    id,
    name,
    canonicalName,
    entityType,
    agentId,
    ...(description !== null && { description }),
    mentions,
    pinned: pinned === 1,
    pinnedAt,
    status,
    createdAt,
    updatedAt,
  }
}

export function toLinkReply(link: Link) {
  const { withheldAt, visibility, ...fields } = link
  return fields
}
