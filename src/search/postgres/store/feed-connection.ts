import type { ControlledTransaction } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { FeedConnection } from '../../embedded/thread/feed-connection.ts'
import { toMemoryRow, toVectorRow } from '../../feed.ts'
import {
  type Feeds,
  readMemories,
  readNewest,
  readRevisions,
  readSettled,
  readStoredIdentities,
  readVectors,
  readVectorsOf,
  readWithNewest,
} from './feeds.ts'

/** The feeds of a server, in one session: all calls are made one after another. */
export function createServerConnection(
  { db, close }: { readonly db: Db; close(): Promise<void> },
  feeds: Feeds,
): FeedConnection {
  const state: { read?: { readonly db: ControlledTransaction<unknown>; readonly upTo: number } } =
    {}
  const reader = () => state.read?.db ?? db
  return {
    readIdentity: () => readIdentity(db),
    readNewest: () => readNewest(db, feeds),
    begin: async () => {
      // Before the read, so that it contains all revisions up to this one.
      const vectors = await readSettled(db, feeds)
      const own = await db.startTransaction().execute()
      state.read = { db: own, upTo: vectors }
      await sql`set transaction isolation level repeatable read, read only`.execute(own)
      const { newest, swept } = await readRevisions(own, feeds)
      return { swept, memories: Math.max(newest, swept), vectors }
    },
    readMemories: async (page) => (await readMemories(reader(), feeds, page)).map(toMemoryRow),
    readVectors: async (page) => {
      const rows = await readVectors(reader(), feeds, { ...page, upTo: state.read?.upTo ?? 0 })
      return rows.map(toVectorRow)
    },
    readVectorsOf: async (memoryIds, upTo) =>
      (await readVectorsOf(reader(), feeds, { memoryIds, upTo })).map(toVectorRow),
    readWithNewest: (select, list) => readWithNewest(db, feeds, { select, list }),
    readIdentities: () => readStoredIdentities(reader(), feeds),
    end: async () => {
      const { read } = state
      delete state.read
      // A read has nothing to commit; with its connection it is lost.
      await read?.db
        .rollback()
        .execute()
        .catch(() => undefined)
    },
    close,
  }
}

/** Changes if the tables are created again, as by the restore of a dump. */
async function readIdentity(db: Db): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select system_identifier || ' ' || 'memories'::regclass::oid as identity
    from pg_control_system()`.execute(db)
  return `server ${rows[0]?.identity}`
}
