import type { Db } from '../../../kernel/db/database.ts'
import { listParts } from '../../../kernel/db/insert-rows.ts'
import { type Contradiction, tables } from './rows.ts'

export async function insertContradictions(
  db: Db,
  contradictions: readonly Contradiction[],
): Promise<void> {
  if (contradictions.length === 0) return
  await tables(db)
    .insertInto('ontologyContradictions')
    .values([...contradictions])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Those with one of these values on either side. */
export async function listContradictionsOf(
  db: Db,
  attributeIds: readonly string[],
): Promise<Contradiction[]> {
  const rows: Contradiction[] = []
  for (const part of listParts(attributeIds))
    rows.push(
      ...(await tables(db)
        .selectFrom('ontologyContradictions')
        .selectAll()
        .where(({ or, eb }) => or([eb('attributeId', 'in', part), eb('otherId', 'in', part)]))
        .execute()),
    )
  return rows
}

export async function updateContradiction(
  db: Db,
  { id, status, reconciledAt }: Pick<Contradiction, 'id' | 'status' | 'reconciledAt'>,
): Promise<void> {
  await tables(db)
    .updateTable('ontologyContradictions')
    .set({ status, reconciledAt })
    .where('id', '=', id)
    .execute()
}

export async function deleteContradiction(db: Db, id: string): Promise<void> {
  await tables(db).deleteFrom('ontologyContradictions').where('id', '=', id).execute()
}

interface ContradictionPage {
  readonly status: Contradiction['status'] | 'all'
  readonly limit: number
  readonly offset: number
}

/** The newest first. */
export function listContradictions(
  db: Db,
  agentId: string,
  { status, limit, offset }: ContradictionPage,
): Promise<Contradiction[]> {
  const own = tables(db)
    .selectFrom('ontologyContradictions')
    .selectAll()
    .where('agentId', '=', agentId)
  const chosen = status === 'all' ? own : own.where('status', '=', status)
  return chosen
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function deleteReconciledBefore(db: Db, reconciledAt: string): Promise<void> {
  await tables(db)
    .deleteFrom('ontologyContradictions')
    .where('reconciledAt', '<', reconciledAt)
    .execute()
}
