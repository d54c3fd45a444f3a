import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { listParts } from '../../../kernel/db/insert-rows.ts'
import { type EvidenceLink, tables } from './rows.ts'

/** The forgotten sources of proposals and assertions. */
export async function listLostEvidence(
  db: Db,
  subjectIds: readonly string[],
): Promise<EvidenceLink[]> {
  const rows: EvidenceLink[] = []
  for (const ids of listParts(subjectIds)) rows.push(...(await selectLost(db, { ids })))
  return rows
}

const selectLost = compileSelectOnce((db, { ids }: { readonly ids: readonly string[] }) =>
  tables(db)
    .selectFrom('ontologyEvidence')
    .selectAll()
    .where('subjectId', 'in', ids)
    .where('lostAt', 'is not', null),
)
