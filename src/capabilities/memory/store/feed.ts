import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** What a row of the feed says; all but the first three are null for a memory that was purged. */
const columns = `agent_id, visibility, scope, project, session_id, type, memory_kind, who, tags,
  pinned, importance, confidence, content, source_type, source_id, source_path, created_at,
  updated_at, deleted_at, superseded_by`

/** What took its place did so at the time of its own source, where that is earlier than the deed. */
const end = `coalesce((select successor.created_at from memories successor
    where successor.id = memories.superseded_by
      and successor.created_at < memories.superseded_at), superseded_at) as superseded_at`

const validity = `(select string_agg(start_at || '/' || coalesce(end_at, ''), ',')
    from temporal_edges where subject_type = 'memory' and subject_id = memories.id
      and facet = 'valid') as validity`

const nothing = `${columns}, end, validity`.replaceAll(/\w+/g, 'null')

/**
 * For those who keep a copy of the memories in another thread: SQLite's own SQL, to be read page by
 * page, so that nobody but this capability names its tables.
 */
export const memoryFeed = {
  /**
   * Each memory that was added, changed or purged since a revision, in the order of revisions, of
   * which no two are alike. Parameters: the last revision that was read, and how many rows at most.
   * `purged` is 1 for what is gone for good; `hints` is a JSON list of what its own agent has left;
   * vectors of `content_hash` are of these words; `validity` has `start/end` of each time at which it
   * is said to be valid, with commas in between, and nothing behind the stroke where it has no end.
   */
  sql: `with heard (revision) as (values (?))
    select id, revision, 0 as purged, ${columns}, ${end}, ${validity}, content_hash,
      (select json_group_array(hint) from memory_hints
        where memory_id = memories.id and agent_id = memories.agent_id) as hints
      from memories where revision > (select revision from heard)
    union all
    select id, revision, 1 as purged, ${nothing}, null, null
      from memory_purged where revision > (select revision from heard)
    order by revision limit ?`,
  /** One row, `revision`: who has read less than this has missed a purge and begins anew. */
  sweptSql: 'select swept_to as revision from memory_revision',
  /** One row, `revision`: who has read as much has nothing to read. */
  newestSql: `select max(swept_to, coalesce((select max(revision) from memories), 0),
    coalesce((select max(revision) from memory_purged), 0)) as revision from memory_revision`,
} as const

/**
 * The same, as a PostgreSQL server has it; revisions appear in the order of commits. Each part has a
 * limit of its own: the server would read and sort all there is for each page.
 */
export const memoryFeedOfServer = {
  /** Parameters and columns as above. */
  sql: `(select id, revision, 0 as purged, ${columns}, ${end}, ${validity}, content_hash,
      (select json_agg(hint)::text from memory_hints
        where memory_id = memories.id and agent_id = memories.agent_id) as hints
      from memories where revision > $1 order by revision limit $2)
    union all
    (select id, revision, 1 as purged, ${nothing}, null, null
      from memory_purged where revision > $1 order by revision limit $2)
    order by revision limit $2`,
  sweptSql: memoryFeed.sweptSql,
  /** One row, `revision`: of the last change that was committed. */
  newestSql: 'select value as revision from memory_revision',
} as const

/** Whether nothing was ever kept in it. */
export async function isUntouched(db: Db): Promise<boolean> {
  const { value } = await tables(db)
    .selectFrom('memoryRevision')
    .select('value')
    .executeTakeFirstOrThrow()
  return Number(value) === 0
}
