import type { EvidenceChange } from '../../../kernel/capability/capability.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { SubjectType } from '../claim.ts'
import type { KnowledgeContext } from '../needs.ts'
import { listBy, type Subject } from '../store/evidence.ts'
import { beginWrite, type GraphWrite } from '../write/graph-write.ts'

export const subjectTables = {
  entity: 'entities',
  aspect: 'entityAspects',
  claim: 'entityAttributes',
  link: 'entityDependencies',
} as const

/** A write without images: what follows from evidence is not undone. */
export function followEvidence(needs: KnowledgeContext, db: Db, agentId: string): GraphWrite {
  const actor = { name: 'daemon', actorType: 'daemon', sessionId: null, requestId: null }
  return beginWrite(needs, { db, agentId, actor, proposalId: null, sources: [] })
}

/** The ids of the rows of each kind. */
export function groupSubjects(
  subjects: readonly Subject[],
): Record<SubjectType, readonly string[]> {
  const idsOf = (type: SubjectType) =>
    subjects.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId)
  return {
    entity: idsOf('entity'),
    aspect: idsOf('aspect'),
    claim: idsOf('claim'),
    link: idsOf('link'),
  }
}

/** The claims whose derived memories are among the evidence. */
export async function listOwnClaims(db: Db, { agentId, kind, ids }: EvidenceChange) {
  if (kind !== 'memory') return []
  const claims = await listBy(db, 'entityAttributes', 'id', ids)
  return claims.filter((claim) => claim.agentId === agentId)
}
