import type { Db } from '../../../kernel/db/database.ts'
import { type EvidenceLink, listParts, tables } from './rows.ts'

/** The forgotten sources of proposals and assertions. */
export async function listLostEvidence(
  db: Db,
  subjectIds: readonly string[],
): Promise<EvidenceLink[]> {
  const rows: EvidenceLink[] = []
  for (const part of listParts(subjectIds))
    rows.push(
      ...(await tables(db)
        .selectFrom('ontologyEvidence')
        .selectAll()
        .where('subjectId', 'in', part)
        .where('lostAt', 'is not', null)
        .execute()),
    )
  return rows
}
