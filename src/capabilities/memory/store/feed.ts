import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** Columns of the feed. They are null for purged memories. */
const columns = `agent_id, visibility, scope, project, session_id, type, memory_kind, who, tags,
  pinned, importance, confidence, content, source_type, source_id, source_path, created_at,
  updated_at, deleted_at, superseded_by`

/** A successor supersedes from its own creation time, when that is earlier. */
const end = `coalesce((select successor.created_at from memories successor
    where successor.id = memories.superseded_by
      and successor.created_at < memories.superseded_at), superseded_at) as superseded_at`

const validity = `(select string_agg(start_at || '/' || coalesce(end_at, ''), ',')
    from temporal_edges where subject_type = 'memory' and subject_id = memories.id
      and facet = 'valid') as validity`

const nothing = `${columns}, end, validity`.replaceAll(/\w+/g, 'null')

/**
 * SQL for SQLite that another thread reads page by page to copy the memories, so that only
 * this capability names its tables.
 */
export const memoryFeed = {
  /**
   * Memories added, changed or purged since a revision, ordered by their unique revision.
   * Parameters: the last read revision and the maximum number of rows.
   * `purged` is 1 for purged memories. `hints` is a JSON list of the hints of its agent.
   * Vectors match by `content_hash`. `validity` lists comma-separated `start/end` spans; the end
   * is empty for open spans.
   */
  sql: `with seen (revision) as (values (?))
    select id, revision, 0 as purged, ${columns}, ${end}, ${validity}, content_hash,
      (select json_group_array(hint) from memory_hints
        where memory_id = memories.id and agent_id = memories.agent_id) as hints
      from memories where revision > (select revision from seen)
    union all
    select id, revision, 1 as purged, ${nothing}, null, null
      from memory_purged where revision > (select revision from seen)
    order by revision limit ?`,
  /** One row, `revision`: a reader behind it missed a purge and must start from scratch. */
  sweptSql: 'select swept_to as revision from memory_revision',
  /** One row, `revision`: the newest change. */
  newestSql: `select max(swept_to, coalesce((select max(revision) from memories), 0),
    coalesce((select max(revision) from memory_purged), 0)) as revision from memory_revision`,
} as const

/**
 * The same for PostgreSQL. Revisions appear in commit order. Each part has its own limit,
 * because the server would otherwise read and sort all rows for each page.
 */
export const postgresMemoryFeed = {
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
  /** One row, `revision`: the last committed change. */
  newestSql: 'select value as revision from memory_revision',
  /** One row, `rows`: memories that are not deleted, counted up to the parameter. */
  countSql: `select count(*) as rows
    from (select 1 from memories where deleted_at is null limit $1) as live`,
} as const

/** Whether the database never stored a memory. */
export async function isUntouched(db: Db): Promise<boolean> {
  const { value } = await tables(db)
    .selectFrom('memoryRevision')
    .select('value')
    .executeTakeFirstOrThrow()
  return Number(value) === 0
}
