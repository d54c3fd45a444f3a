import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

interface Page {
  /** The last revision that the reader has seen. */
  readonly after: number
  readonly limit: number
}

/** Written by the service itself. */
const ownWriters = ['dreaming']
const ownSources = ['ontology', 'aggregate', 'synthesis', 'session_summary', 'summary']

const characters = sql<number | string>`length(content)`

const evidence = (db: Db, agentId: string, after: number) =>
  tables(db)
    .selectFrom('memories')
    .where('agentId', '=', agentId)
    .where('revision', '>', after)
    .where('memoryKind', '=', 'episodic')
    .where('scope', 'is', null)
    .where('deletedAt', 'is', null)
    .where('visibility', '!=', 'archived')
    .where('who', 'not in', ownWriters)
    .where('sourceType', 'not in', ownSources)

/** Memories that may support a claim and changed after a revision, in the order of their changes. */
export async function listChangedEvidence(db: Db, agentId: string, { after, limit }: Page) {
  const rows = await evidence(db, agentId, after)
    .select(['id', 'revision', 'contentHash', 'createdAt', 'pinned', 'sessionId'])
    .select(characters.as('chars'))
    .orderBy('revision')
    .limit(limit)
    .execute()
  return rows.map(({ chars, revision, ...row }) => ({
    ...row,
    revision: Number(revision),
    chars: Number(chars),
  }))
}

/** Their characters and the time of the oldest one. */
export async function sumChangedEvidence(db: Db, agentId: string, after: number) {
  const row = await evidence(db, agentId, after)
    .select(sql<number | string | null>`sum(length(content))`.as('chars'))
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.min('createdAt').as('oldestAt'),
    ])
    .executeTakeFirst()
  return {
    chars: Number(row?.chars ?? 0),
    count: Number(row?.count ?? 0),
    oldestAt: row?.oldestAt ?? null,
  }
}

/** Live memories whose review is due before a time, those due first. */
export function listDueReviews(
  db: Db,
  agentId: string,
  { before, limit }: { readonly before: string; readonly limit: number },
) {
  return tables(db)
    .selectFrom('memories')
    .select(['id', 'reviewAfter', 'memoryKind', 'sourceId'])
    .where('agentId', '=', agentId)
    .where('reviewAfter', 'is not', null)
    .where('reviewAfter', '<', before)
    .where('deletedAt', 'is', null)
    .where('supersededBy', 'is', null)
    .orderBy('reviewAfter')
    .limit(limit)
    .execute()
}
