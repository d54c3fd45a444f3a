import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { blockRevisions } from '../evidence-blocks-migration.ts'
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

/** Their characters and the time of the oldest one, from the sums of blocks of revisions. */
export async function sumChangedEvidence(db: Db, agentId: string, after: number) {
  const block = Math.floor(after / blockRevisions)
  const [rest, blocks, bounds] = await Promise.all([
    sumRange(db, agentId, { after, upTo: (block + 1) * blockRevisions - 1 }),
    sumBlocks(db, agentId, block),
    listBounds(db, agentId, block),
  ])
  const chars = rest.chars + blocks.chars
  const count = rest.count + blocks.count
  return {
    chars,
    count,
    oldestAt: await findOldest(db, agentId, { block, bounds, restAt: rest.oldestAt }),
  }
}

interface Range {
  readonly after: number
  readonly upTo: number
}

async function sumRange(db: Db, agentId: string, { after, upTo }: Range) {
  const row = await evidence(db, agentId, after)
    .where('revision', '<=', upTo)
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

const laterBlocks = (db: Db, agentId: string, block: number) =>
  tables(db)
    .selectFrom('memoryEvidenceBlocks')
    .where('agentId', '=', agentId)
    .where('block', '>', block)

async function sumBlocks(db: Db, agentId: string, block: number) {
  const row = await laterBlocks(db, agentId, block)
    .select(({ fn }) => [
      fn.sum<number | string | null>('chars').as('chars'),
      fn.sum<number | string | null>('memories').as('count'),
    ])
    .executeTakeFirst()
  return { chars: Number(row?.chars ?? 0), count: Number(row?.count ?? 0) }
}

/** Blocks that are read one by one. After these, one query reads them all. */
const maxBlocksRead = 8

function listBounds(db: Db, agentId: string, block: number) {
  return laterBlocks(db, agentId, block)
    .select(['block', 'oldestAt'])
    .orderBy('oldestAt')
    .limit(maxBlocksRead + 1)
    .execute()
}

interface Oldest {
  readonly block: number
  readonly bounds: Awaited<ReturnType<typeof listBounds>>
  readonly restAt: string | null
}

/** Reads blocks in the order of their lower bounds until no later one can have an older memory. */
async function findOldest(db: Db, agentId: string, { block, bounds, restAt }: Oldest) {
  let oldestAt = restAt
  for (const one of bounds.slice(0, maxBlocksRead)) {
    if (oldestAt !== null && oldestAt <= one.oldestAt) return oldestAt
    const first = Number(one.block) * blockRevisions
    const range = { after: first - 1, upTo: first + blockRevisions - 1 }
    oldestAt = earlier(oldestAt, (await sumRange(db, agentId, range)).oldestAt)
  }
  if (bounds.length <= maxBlocksRead) return oldestAt
  const row = await evidence(db, agentId, (block + 1) * blockRevisions - 1)
    .select(({ fn }) => fn.min('createdAt').as('oldestAt'))
    .executeTakeFirst()
  return earlier(restAt, row?.oldestAt ?? null)
}

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
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
