import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { listProjectsOf } from '../../../kernel/db/list-projects.ts'
import {
  cleanHarness,
  isTruncated,
  type SessionRef,
  type Transcript,
  type TranscriptHeader,
} from '../transcript.ts'
import { type CleanupRow, headerColumns, tables, transcriptColumns } from './rows.ts'

export function findTranscript(db: Db, session: SessionRef): Promise<Transcript | undefined> {
  return transcriptQuery(db, session).select(transcriptColumns).executeTakeFirst()
}

const content = sql.ref<string>('session_transcripts.content')
const length = sql<number>`length(${content})`

/** The transcript with `tail` characters instead of its content. */
export async function findHeader(
  db: Db,
  session: SessionRef,
  tail: number,
): Promise<TranscriptHeader | undefined> {
  const from = sql`case when ${length} > ${tail} then ${length} - ${tail} + 1 else 1 end`
  const row = await transcriptQuery(db, session)
    .select([...headerColumns, length.as('length')])
    .select(sql<string>`substr(${content}, ${from})`.as('tail'))
    .executeTakeFirst()
  return row && { ...row, length: Number(row.length) }
}

/** Counts lines without the truncation mark. */
export async function countTurns(db: Db, session: SessionRef): Promise<number> {
  const breaks = sql<number>`${length} - length(replace(${content}, ${'\n'}, ''))`
  const row = await transcriptQuery(db, session)
    .select([breaks.as('breaks'), sql<string>`substr(${content}, 1, 16)`.as('beginning')])
    .executeTakeFirst()
  const isUncounted = !row || row.beginning === '' || isTruncated(row.beginning)
  return Number(row?.breaks ?? 0) + (isUncounted ? 0 : 1)
}

/** The transcript with its content from an offset on. */
export async function findTranscriptFrom(db: Db, session: SessionRef, after: number) {
  const row = await transcriptQuery(db, session)
    .select([...headerColumns, length.as('length')])
    .select(sql<string>`substr(${content}, ${after} + 1)`.as('content'))
    .executeTakeFirst()
  return row && { ...row, length: Number(row.length) }
}

interface LatestFilter {
  readonly agentId: string
  readonly harness: string
  readonly project: string
  readonly except: string | undefined
}

/** The session that was updated last. */
export function findLatest(db: Db, { agentId, harness, project, except }: LatestFilter) {
  const latest = tables(db)
    .selectFrom('sessionTranscripts')
    .select('sessionKey')
    .where('agentId', '=', agentId)
    .where('harness', '=', cleanHarness(harness))
    .where('project', '=', project)
    .orderBy('updatedAt', 'desc')
    .limit(1)
  return (
    except === undefined ? latest : latest.where('sessionKey', '!=', except)
  ).executeTakeFirst()
}

export function findOrigin(db: Db, session: SessionRef) {
  return transcriptQuery(db, session).select(['harness', 'project', 'sessionId']).executeTakeFirst()
}

/** False when it exists already. */
export async function insertTranscript(db: Db, transcript: Transcript): Promise<boolean> {
  return (await insertTranscripts(db, [transcript])).size === 1
}

/** Inserts those whose sessions are not stored yet. Returns their keys. */
export async function insertTranscripts(
  db: Db,
  transcripts: readonly Transcript[],
): Promise<Set<string>> {
  if (transcripts.length === 0) return new Set()
  const rows = await tables(db)
    .insertInto('sessionTranscripts')
    .values(transcripts)
    .onConflict((conflict) => conflict.doNothing())
    .returning('sessionKey')
    .execute()
  return new Set(rows.map(({ sessionKey }) => sessionKey))
}

export interface ChangedTranscript extends Partial<Transcript> {
  /** Text to append to the content. */
  readonly addedText?: string | undefined
}

/** Compare-and-set on the content hash. */
export function updateTranscriptQuery(
  db: Db,
  { agentId, sessionKey, contentHash }: SessionRef & Pick<Transcript, 'contentHash'>,
  { addedText: added = '', ...changed }: ChangedTranscript,
) {
  return tables(db)
    .updateTable('sessionTranscripts')
    .set({ ...changed, ...(added !== '' && { content: sql<string>`${content} || ${added}` }) })
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .where('contentHash', '=', contentHash)
}

/** False after a concurrent update. */
export async function updateTranscript(
  db: Db,
  read: SessionRef & Pick<Transcript, 'contentHash'>,
  changes: Partial<Transcript>,
): Promise<boolean> {
  const { numUpdatedRows } = await updateTranscriptQuery(db, read, changes).executeTakeFirst()
  return numUpdatedRows === 1n
}

export function archiveTranscriptQuery(db: Db, session: SessionRef, archivedAt: string) {
  return tables(db)
    .updateTable('sessionTranscripts')
    .set({ archivedAt })
    .where('agentId', '=', session.agentId)
    .where('sessionKey', '=', session.sessionKey)
}

export async function measureTranscripts(db: Db, agentId: string | undefined) {
  let query = tables(db)
    .selectFrom('sessionTranscripts')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('rows'),
      fn.min('updatedAt').as('oldestUpdatedAt'),
      fn.max('updatedAt').as('newestUpdatedAt'),
    ])
  if (agentId !== undefined) query = query.where('agentId', '=', agentId)
  const { rows, ...times } = await query.executeTakeFirstOrThrow()
  return { rows: Number(rows), ...times }
}

/** The projects under which a session is stored, by its key or its id; null for none. */
export function listProjects(db: Db, { agentId, sessionKey: key }: SessionRef) {
  return listProjectsOf(db, agentId, [
    { table: 'sessionTranscripts', column: 'sessionKey', key },
    { table: 'sessionTranscripts', column: 'sessionId', key },
    { table: 'sessionCheckpoints', column: 'sessionKey', key },
    { table: 'memoryArtifacts', column: 'sessionKey', key },
  ])
}

type Cleanup = Omit<CleanupRow, 'id'>

/** Undefined when all are cleaned. */
export async function findCleanup(db: Db): Promise<Cleanup | undefined> {
  const row = await tables(db)
    .selectFrom('transcriptCleanups')
    .select(['donePosition', 'lastPosition'])
    .executeTakeFirst()
  // PostgreSQL returns a bigint as text.
  return row && { donePosition: Number(row.donePosition), lastPosition: Number(row.lastPosition) }
}

export async function listUncleaned(
  db: Db,
  { donePosition, lastPosition }: Cleanup,
  limit: number,
): Promise<readonly (SessionRef & { readonly position: number })[]> {
  const rows = await tables(db)
    .selectFrom('sessionTranscripts')
    .select(['agentId', 'sessionKey', 'position'])
    .where('position', '>', donePosition)
    .where('position', '<=', lastPosition)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}

export async function updateCleanup(db: Db, donePosition: number): Promise<void> {
  await tables(db)
    .updateTable('transcriptCleanups')
    .set({ donePosition })
    .where('donePosition', '<', donePosition)
    .execute()
}

export async function deleteCleanup(db: Db): Promise<void> {
  await tables(db).deleteFrom('transcriptCleanups').execute()
}

function transcriptQuery(db: Db, { agentId, sessionKey }: SessionRef) {
  return tables(db)
    .selectFrom('sessionTranscripts')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
}
