import type { Db } from '../../../kernel/db/database.ts'
import type { Artifact, ListedArtifact, Manifest } from '../artifact.ts'
import type { SessionRef } from '../transcript.ts'
import { isProject, type ManifestRow, tables } from './rows.ts'

export async function findArtifact(
  db: Db,
  { agentId, sourcePath }: Pick<Artifact, 'agentId' | 'sourcePath'>,
): Promise<Artifact | undefined> {
  return tables(db)
    .selectFrom('memoryArtifacts')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('sourcePath', '=', sourcePath)
    .executeTakeFirst()
}

export async function upsertArtifact(db: Db, artifact: Artifact): Promise<void> {
  const { agentId, sourcePath, ...changed } = artifact
  await tables(db)
    .insertInto('memoryArtifacts')
    .values(artifact)
    .onConflict((conflict) => conflict.columns(['agentId', 'sourcePath']).doUpdateSet(changed))
    .execute()
}

/** Copies the content from the transcript row, inside the database. */
export async function upsertTranscriptArtifact(
  db: Db,
  { agentId, sessionKey }: SessionRef,
  artifact: ListedArtifact,
): Promise<void> {
  const { sourcePath } = artifact
  await upsertArtifact(db, { ...artifact, content: '' })
  await tables(db)
    .updateTable('memoryArtifacts')
    .set(({ selectFrom, fn, val }) => ({
      content: fn.coalesce(
        selectFrom('sessionTranscripts')
          .select('sessionTranscripts.content')
          .where('sessionTranscripts.agentId', '=', agentId)
          .where('sessionTranscripts.sessionKey', '=', sessionKey),
        val(''),
      ),
    }))
    .where('agentId', '=', artifact.agentId)
    .where('sourcePath', '=', sourcePath)
    .execute()
}

interface ArtifactFilter {
  readonly agentId: string
  /** Null for artifacts without a project. */
  readonly project?: string | null | undefined
  readonly sessionKey?: string | undefined
  /** ISO; compared with `capturedAt`. */
  readonly since?: string | undefined
  readonly limit: number
}

const listedColumns = [
  ...(['agentId', 'sourcePath', 'sourceSha256', 'sourceKind', 'sessionId', 'sessionKey'] as const),
  ...(['sessionToken', 'project', 'harness', 'capturedAt', 'startedAt', 'endedAt'] as const),
  ...(['manifestPath', 'sourceNodeId', 'memorySentence', 'memorySentenceQuality'] as const),
  'updatedAt',
] as const satisfies readonly (keyof ListedArtifact)[]

/** Without content; the latest first. */
export async function listArtifacts(db: Db, filter: ArtifactFilter): Promise<ListedArtifact[]> {
  const { agentId, project, sessionKey, since, limit } = filter
  let query = tables(db)
    .selectFrom('memoryArtifacts')
    .select(listedColumns)
    .where('agentId', '=', agentId)
  if (project !== undefined) query = query.where(isProject(project))
  if (sessionKey !== undefined) query = query.where('sessionKey', '=', sessionKey)
  if (since !== undefined) query = query.where('capturedAt', '>=', since)
  return query.orderBy('capturedAt', 'desc').orderBy('sourcePath').limit(limit).execute()
}

export async function findManifest(
  db: Db,
  { agentId, sessionToken }: Pick<Manifest, 'agentId' | 'sessionToken'>,
): Promise<Manifest | undefined> {
  const row = await tables(db)
    .selectFrom('sessionManifests')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('sessionToken', '=', sessionToken)
    .executeTakeFirst()
  return row && { ...row, memoryMdRefs: JSON.parse(row.memoryMdRefs) }
}

/** False when it exists already. */
export async function insertManifest(db: Db, manifest: Manifest): Promise<boolean> {
  const rows = await tables(db)
    .insertInto('sessionManifests')
    .values(toRow(manifest))
    .onConflict((conflict) => conflict.doNothing())
    .returning('sessionToken')
    .execute()
  return rows.length === 1
}

/** Compare-and-set on the revision; false after a concurrent update. */
export async function updateManifest(db: Db, manifest: Manifest): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('sessionManifests')
    .set(toRow(manifest))
    .where('agentId', '=', manifest.agentId)
    .where('sessionToken', '=', manifest.sessionToken)
    .where('revision', '=', manifest.revision - 1)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function toRow(manifest: Manifest): ManifestRow {
  return { ...manifest, memoryMdRefs: JSON.stringify(manifest.memoryMdRefs) }
}

/** Counts by session, the latest first. */
export async function countArtifacts(
  db: Db,
  { agentId, project }: { readonly agentId: string; readonly project?: string | undefined },
  { keys, limit }: { readonly keys?: readonly string[]; readonly limit: number },
) {
  let query = tables(db)
    .selectFrom('memoryArtifacts')
    .select(({ fn }) => [
      'sessionKey',
      fn.max('project').as('project'),
      fn.max('updatedAt').as('lastAt'),
      fn.countAll<number | string>().as('count'),
    ])
    .where('agentId', '=', agentId)
    .where('sessionKey', 'is not', null)
  if (project !== undefined) query = query.where('project', '=', project)
  if (keys) query = query.where('sessionKey', 'in', keys)
  const rows = await query.groupBy('sessionKey').orderBy('lastAt', 'desc').limit(limit).execute()
  return rows.flatMap(({ sessionKey, project, lastAt, count }) =>
    sessionKey === null ? [] : [{ sessionKey, project, lastAt, count: Number(count) }],
  )
}

export async function countArtifactsByKind(
  db: Db,
  agentId: string | undefined,
): Promise<ReadonlyMap<Artifact['sourceKind'], number>> {
  let query = tables(db)
    .selectFrom('memoryArtifacts')
    .select(({ fn }) => ['sourceKind', fn.countAll<number | string>().as('count')])
  if (agentId !== undefined) query = query.where('agentId', '=', agentId)
  const rows = await query.groupBy('sourceKind').execute()
  return new Map(rows.map(({ sourceKind, count }) => [sourceKind, Number(count)]))
}

/** Counts captured sessions without a transcript artifact. */
export async function countMissingTranscripts(
  db: Db,
  agentId: string | undefined,
): Promise<number> {
  let query = tables(db)
    .selectFrom('transcriptCaptures as capture')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('capture.completedAt', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memoryArtifacts as artifact')
            .select('artifact.sourcePath')
            .whereRef('artifact.agentId', '=', 'capture.agentId')
            .whereRef('artifact.sessionKey', '=', 'capture.sessionKey')
            .where('artifact.sourceKind', '=', 'transcript'),
        ),
      ),
    )
  if (agentId !== undefined) query = query.where('capture.agentId', '=', agentId)
  return Number((await query.executeTakeFirstOrThrow()).count)
}
