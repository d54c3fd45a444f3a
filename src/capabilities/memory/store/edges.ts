import type { Db } from '../../../kernel/db/database.ts'
import type { TemporalEdge } from '../temporal-edge.ts'
import { tables } from './rows.ts'

/** An existing edge keeps its start and takes the new end. */
export async function upsertEdges(db: Db, edges: readonly TemporalEdge[]): Promise<void> {
  if (edges.length === 0) return
  await tables(db)
    .insertInto('temporalEdges')
    .values(edges)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({ endAt: ref('excluded.endAt') })),
    )
    .execute()
}
