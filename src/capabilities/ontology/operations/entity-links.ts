import type { GraphWrite } from '../../knowledge/index.ts'
import type { Proposal } from '../proposal.ts'
import type { EvidenceLink } from '../store/rows.ts'

/** An operation without a source is visible as long as one of the entities that it changed. */
export function toEntityLinks(
  { id: subjectId, agentId }: Pick<Proposal, 'id' | 'agentId'>,
  { changes }: GraphWrite,
): EvidenceLink[] {
  const entityIds = changes.flatMap(({ table, rowId, before, after }) => {
    if (table === 'entities') return [rowId]
    const row: Readonly<Record<string, unknown>> = { ...before, ...after }
    return [row['entityId'], row['sourceEntityId'], row['targetEntityId']]
  })
  return [...new Set(entityIds)].flatMap((sourceId) =>
    typeof sourceId === 'string'
      ? [{ subjectId, sourceKind: 'entity' as const, sourceId, agentId, lostAt: null }]
      : [],
  )
}
