import type { Db } from '../../../kernel/db/database.ts'
import { listWords, toPhrase } from '../name.ts'
import { tables } from './rows.ts'

/** Makes the searchable names of entities those of their live rows. */
export async function syncNames(db: Db, agentId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const [named] = await Promise.all([
    listLiveNames(db, agentId, ids),
    ...(['entityNames', 'entityNameWords'] as const).map((table) =>
      tables(db).deleteFrom(table).where('entityId', 'in', ids).execute(),
    ),
  ])
  const phrases = named
    .map(({ name, ...row }) => ({ agentId, phrase: toPhrase(name), ...row }))
    .filter(({ phrase }) => phrase !== '')
  const words = phrases.flatMap(({ phrase, entityId }) =>
    listWords(phrase).map((word) => ({ agentId, word, entityId })),
  )
  if (phrases.length > 0)
    await tables(db)
      .insertInto('entityNames')
      .values(phrases)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  if (words.length > 0)
    await tables(db)
      .insertInto('entityNameWords')
      .values(words)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

const rebuiltPerStep = 200

/** Rebuilds the searchable names of an agent from its rows, and returns how many entities it read. */
export async function rebuildNames(db: Db, agentId: string): Promise<number> {
  await deleteNames(db, agentId)
  let after = ''
  let count = 0
  for (;;) {
    const rows = await tables(db)
      .selectFrom('entities')
      .select('id')
      .where('agentId', '=', agentId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(rebuiltPerStep)
      .execute()
    const ids = rows.map(({ id }) => id)
    await syncNames(db, agentId, ids)
    count += ids.length
    const last = ids.at(-1)
    if (last === undefined || ids.length < rebuiltPerStep) return count
    after = last
  }
}

async function deleteNames(db: Db, agentId: string): Promise<void> {
  for (const table of ['entityNames', 'entityNameWords'] as const)
    await tables(db).deleteFrom(table).where('agentId', '=', agentId).execute()
}

async function listLiveNames(db: Db, agentId: string, ids: readonly string[]) {
  const names = await tables(db)
    .selectFrom('entities')
    .select(['id as entityId', 'name'])
    .where('id', 'in', ids)
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .where('sourceRoot', 'is', null)
    .execute()
  const liveIds = names.map(({ entityId }) => entityId)
  if (liveIds.length === 0) return []
  const aliases = await tables(db)
    .selectFrom('entityAliases')
    .select(['entityId', 'alias as name'])
    .where('entityId', 'in', liveIds)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .execute()
  return [
    ...names.map((row) => ({ ...row, kind: 'name' as const })),
    ...aliases.map((row) => ({ ...row, kind: 'alias' as const })),
  ]
}
