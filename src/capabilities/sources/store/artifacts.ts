import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { insertRows } from '../../../kernel/db/insert-rows.ts'
import { type ArtifactRow, maxValues, tables } from './rows.ts'

export interface ArtifactKey {
  readonly agentId: string
  readonly sourceId: string
  readonly sourcePath: string
}

/** The fields that decide whether an item has changed. */
export type ArtifactState = Pick<
  ArtifactRow,
  | 'sourceSha256'
  | 'sourceMetaJson'
  | 'sourceMtimeMs'
  | 'sourceKind'
  | 'memorySentence'
  | 'generation'
  | 'sourceParentPath'
>

export async function findArtifactState(
  db: Db,
  { sourcePath, ...source }: ArtifactKey,
): Promise<ArtifactState | undefined> {
  return (await findArtifactStates(db, { ...source, paths: [sourcePath] })).get(sourcePath)
}

export interface ArtifactKeys extends Omit<ArtifactKey, 'sourcePath'> {
  readonly paths: readonly string[]
}

/** States of live artifacts by path. */
export async function findArtifactStates(
  db: Db,
  { agentId, sourceId, paths }: ArtifactKeys,
): Promise<ReadonlyMap<string, ArtifactState>> {
  const rows = await tables(db)
    .selectFrom('sourceArtifacts')
    .select(['sourceSha256', 'sourceMetaJson', 'sourceMtimeMs', 'sourceKind', 'memorySentence'])
    .select(['generation', 'sourceParentPath', 'sourcePath'])
    .where('sourceId', '=', sourceId)
    .where('agentId', '=', agentId)
    .where('sourcePath', 'in', paths)
    .where('isDeleted', '=', 0)
    .execute()
  return new Map(rows.map(({ sourcePath, ...state }) => [sourcePath, state]))
}

/** The newest artifact of an agent with this path, without failures. */
export async function findLiveArtifact(db: Db, agentId: string, sourcePath: string) {
  return tables(db)
    .selectFrom('sourceArtifacts')
    .select(['content', 'capturedAt', 'project'])
    .where('agentId', '=', agentId)
    .where('sourcePath', '=', sourcePath)
    .where('isDeleted', '=', 0)
    .where('sourceKind', 'not like', '%failure')
    .orderBy('updatedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Whether another source of the agent has an artifact with this path. */
export async function findOtherOwner(
  db: Db,
  { agentId, sourceId, sourcePath }: ArtifactKey,
): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('sourceArtifacts')
    .select('position')
    .where('agentId', '=', agentId)
    .where('sourcePath', '=', sourcePath)
    .where('sourceId', '<>', sourceId)
    .executeTakeFirst()
  return row !== undefined
}

export async function upsertArtifacts(db: Db, artifacts: readonly ArtifactRow[]): Promise<void> {
  await insertRows(db, 'sourceArtifacts', artifacts, (conflict) =>
    conflict.columns(['sourceId', 'agentId', 'sourcePath']).doUpdateSet(({ ref }) =>
      Object.fromEntries(
        Object.keys(artifacts[0] ?? {})
          .filter((name) => !unchanging.has(name))
          .map((name) => [name, ref(`excluded.${name}`)]),
      ),
    ),
  )
}

const unchanging = new Set(['sourceId', 'agentId', 'sourcePath', 'capturedAt'])

export async function updateMeta(
  db: Db,
  { agentId, sourceId, sourcePath }: ArtifactKey,
  sourceMetaJson: string,
): Promise<void> {
  await tables(db)
    .updateTable('sourceArtifacts')
    .set({ sourceMetaJson })
    .where('sourceId', '=', sourceId)
    .where('agentId', '=', agentId)
    .where('sourcePath', '=', sourcePath)
    .execute()
}

export async function deleteArtifact(
  db: Db,
  { agentId, sourceId, sourcePath }: ArtifactKey,
): Promise<void> {
  await tables(db)
    .deleteFrom('sourceArtifacts')
    .where('sourceId', '=', sourceId)
    .where('agentId', '=', agentId)
    .where('sourcePath', '=', sourcePath)
    .execute()
}

interface PathRange {
  /** The owner of the source. With it, a page reads an index in order. */
  readonly agentId?: string
  readonly after: string
  readonly limit: number
  readonly prefix?: string
}

/** Paths of live artifacts after a path, in the order of their bytes. */
export async function listPaths(
  db: Db,
  sourceId: string,
  { agentId, after, limit, prefix = '' }: PathRange,
): Promise<Pick<ArtifactRow, 'sourcePath' | 'sourceKind' | 'sourceMtimeMs'>[]> {
  return tables(db)
    .selectFrom('sourceArtifacts')
    .select(['sourcePath', 'sourceKind', 'sourceMtimeMs'])
    .where('sourceId', '=', sourceId)
    .where('isDeleted', '=', 0)
    .where('sourcePath', '>', after)
    .$if(agentId !== undefined, (query) => query.where('agentId', '=', agentId ?? ''))
    .$if(prefix !== '', (query) =>
      query.where('sourcePath', '>=', prefix).where('sourcePath', '<', `${prefix}\u{10ffff}`),
    )
    .orderBy('sourcePath')
    .limit(limit)
    .execute()
}

/** Artifacts after a path, in order, with their content. */
export async function listArtifacts(
  db: Db,
  sourceId: string,
  { agentId, after, limit }: Omit<PathRange, 'prefix'>,
): Promise<ArtifactRow[]> {
  return tables(db)
    .selectFrom('sourceArtifacts')
    .selectAll()
    .where('sourceId', '=', sourceId)
    .where('isDeleted', '=', 0)
    .where('sourcePath', '>', after)
    .$if(agentId !== undefined, (query) => query.where('agentId', '=', agentId ?? ''))
    .orderBy('sourcePath')
    .limit(limit)
    .execute()
}

/** Deletes the artifacts of a source, at most one batch. */
export async function deleteArtifacts(
  db: Db,
  { sourceId, generation }: SourceRows,
): Promise<Pick<ArtifactRow, 'agentId' | 'sourcePath'>[]> {
  const batch = tables(db)
    .selectFrom('sourceArtifacts')
    .select('position')
    .where('sourceId', '=', sourceId)
    .$if(generation !== undefined, (query) => query.where('generation', '=', generation ?? ''))
    .limit(maxValues)
  return tables(db)
    .deleteFrom('sourceArtifacts')
    .where('position', 'in', batch)
    .returning(['agentId', 'sourcePath'])
    .execute()
}

/** The rows of a source, or of one generation of it. */
export interface SourceRows {
  readonly sourceId: string
  readonly generation?: string | undefined
}

export interface ArtifactCounts {
  readonly artifacts: number
  readonly failures: number
  readonly recoverableFailures: number
  readonly deleted: number
  readonly latestAt: string | null
}

/** Reads indexes alone, because a caller that follows a run counts several times a second. */
export async function countArtifacts(db: Db, sourceId: string): Promise<ArtifactCounts> {
  const [all, deleted, { latestAt }] = await Promise.all([
    countByKind(db, sourceId),
    countByKind(db, sourceId, { isDeleted: 1 }),
    tables(db)
      .selectFrom('sourceArtifacts')
      .select(({ fn }) => fn.max<string | null>('updatedAt').as('latestAt'))
      .where('sourceId', '=', sourceId)
      .executeTakeFirstOrThrow(),
  ])
  const live = all.map(({ sourceKind, count }) => ({
    sourceKind,
    count: count - (deleted.find((one) => one.sourceKind === sourceKind)?.count ?? 0),
  }))
  const failed = live.filter(({ sourceKind }) => sourceKind.endsWith('_failure'))
  return {
    artifacts: sum(live) - sum(failed),
    failures: sum(failed),
    recoverableFailures: sum(failed) === 0 ? 0 : await countRecoverable(db, sourceId, failed),
    deleted: sum(deleted),
    latestAt,
  }
}

interface KindCount {
  readonly sourceKind: string
  readonly count: number
}

const sum = (counts: readonly KindCount[]) => counts.reduce((all, { count }) => all + count, 0)

async function countByKind(
  db: Db,
  sourceId: string,
  { isDeleted }: { readonly isDeleted?: 1 } = {},
): Promise<readonly KindCount[]> {
  const rows = await tables(db)
    .selectFrom('sourceArtifacts')
    .select(['sourceKind', ({ fn }) => fn.countAll<number | string>().as('count')])
    .where('sourceId', '=', sourceId)
    // A parameter would not match the condition of the index of deleted artifacts.
    .$if(isDeleted !== undefined, (query) => query.where('isDeleted', '=', sql.lit(1)))
    .groupBy('sourceKind')
    .execute()
  return rows.map(({ sourceKind, count }) => ({ sourceKind, count: Number(count) }))
}

async function countRecoverable(
  db: Db,
  sourceId: string,
  failed: readonly KindCount[],
): Promise<number> {
  const kinds = failed.map(({ sourceKind }) => sourceKind)
  const { count } = await tables(db)
    .selectFrom('sourceArtifacts')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('sourceId', '=', sourceId)
    .where('sourceKind', 'in', kinds)
    .where('isDeleted', '=', 0)
    .where('sourceMetaJson', 'like', '%"recoverable":true%')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes the oldest failures beyond the limit. */
export async function trimFailures(
  db: Db,
  { sourceId, sourceKind, maxRows }: { sourceId: string; sourceKind: string; maxRows: number },
): Promise<void> {
  const old = tables(db)
    .selectFrom('sourceArtifacts')
    .select('position')
    .where('sourceId', '=', sourceId)
    .where('sourceKind', '=', sourceKind)
    .orderBy('updatedAt', 'desc')
    .orderBy('position', 'desc')
    .limit(maxValues)
    .offset(maxRows)
  await tables(db).deleteFrom('sourceArtifacts').where('position', 'in', old).execute()
}
