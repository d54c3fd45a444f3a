import type { Db } from '../../../kernel/db/database.ts'
import type { Citation, SubjectType } from '../claim.ts'
import { listCitations } from '../store/claims.ts'

/** A live citation as clients see it. */
export interface EvidenceItem {
  readonly sourceKind: Citation['sourceKind']
  readonly sourceId: string
  readonly quote: string
  readonly sourceTime: string
  readonly proposalId: string | null
}

/** The live evidence of rows of one kind, in the order in which it was added. */
export async function readEvidence(
  db: Db,
  type: SubjectType,
  ids: readonly string[],
): Promise<(id: string) => readonly EvidenceItem[]> {
  const citations = await listCitations(db, type, ids)
  const live = citations.filter(({ lostAt }) => lostAt === null)
  const bySubject = Map.groupBy(live, ({ subjectId }) => subjectId)
  return (id) => (bySubject.get(id) ?? []).map(toEvidence)
}

function toEvidence(citation: Citation): EvidenceItem {
  const { sourceKind, sourceId, quote, sourceTime, proposalId } = citation
  return { sourceKind, sourceId, quote, sourceTime, proposalId }
}
