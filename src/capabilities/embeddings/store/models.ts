import type { Db } from '../../../kernel/db/database.ts'
import { type ModelRow, tables } from './rows.ts'

export function listModels(db: Db): Promise<ModelRow[]> {
  return tables(db).selectFrom('embeddingModels').selectAll().orderBy('createdAt').execute()
}

/** Does nothing if the identity exists. */
export async function insertModel(db: Db, model: ModelRow): Promise<void> {
  await tables(db)
    .insertInto('embeddingModels')
    .values(model)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function updateModel(
  db: Db,
  identity: string,
  changes: Partial<Pick<ModelRow, 'state' | 'seenRevision' | 'promotedAt'>>,
): Promise<void> {
  await tables(db)
    .updateTable('embeddingModels')
    .set(changes)
    .where('identity', '=', identity)
    .execute()
}

export async function retireBuilding(db: Db): Promise<void> {
  await tables(db)
    .updateTable('embeddingModels')
    .set({ state: 'retired' })
    .where('state', '=', 'building')
    .execute()
}
