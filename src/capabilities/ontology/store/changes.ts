import type { Db } from '../../../kernel/db/database.ts'
import { insertRows, listParts } from '../../../kernel/db/insert-rows.ts'
import { type ChangeRow, tables } from './rows.ts'

export async function insertChanges(db: Db, changes: readonly ChangeRow[]): Promise<void> {
  await insertRows(db, 'ontologyChanges', changes)
}

/** The images of operations, the first change first. */
export async function listChanges(db: Db, proposalIds: readonly string[]): Promise<ChangeRow[]> {
  const rows: ChangeRow[] = []
  for (const part of listParts(proposalIds))
    rows.push(
      ...(await tables(db)
        .selectFrom('ontologyChanges')
        .selectAll()
        .where('proposalId', 'in', part)
        .execute()),
    )
  return rows.toSorted((a, b) => a.position - b.position)
}

export async function deleteChanges(db: Db, proposalIds: readonly string[]): Promise<void> {
  for (const part of listParts(proposalIds))
    await tables(db).deleteFrom('ontologyChanges').where('proposalId', 'in', part).execute()
}

export async function deleteChangesBefore(db: Db, createdAt: string): Promise<void> {
  await tables(db).deleteFrom('ontologyChanges').where('createdAt', '<', createdAt).execute()
}
