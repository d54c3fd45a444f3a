import { type ExtractionCounts, readExtraction } from './file-import/extraction-counts.ts'
import type { createGraphCounts } from './graph-counts.ts'
import type { SourcesOptions } from './needs.ts'
import type { Registry } from './registry/registry.ts'
import { type IndexJob, isActive } from './runs/job.ts'
import type { RunScheduler } from './runs/scheduler.ts'
import type { SourceEntry } from './source.ts'
import { type ArtifactCounts, countArtifacts } from './store/artifacts.ts'
import { listCheckpoints } from './store/checkpoints.ts'
import { countChunks, countOrphans } from './store/chunks.ts'
import type { CheckpointRow } from './store/rows.ts'
import { countVectors } from './store/vectors.ts'

export interface HealthNeeds
  extends Pick<SourcesOptions, 'db' | 'host' | 'log' | 'embeddings' | 'graph'> {
  readonly registry: Registry
  readonly graphCounts: ReturnType<typeof createGraphCounts>
  readonly scheduler: Pick<RunScheduler, 'find'>
}

/** A checkpoint that much older than the last complete run is stale. */
const staleAfterMs = 60_000

export async function readStats(
  { db, embeddings }: Pick<HealthNeeds, 'db' | 'embeddings'>,
  { id }: SourceEntry,
) {
  const [{ artifacts }, chunks] = await Promise.all([
    countArtifacts(db, id),
    countVectors(db, embeddings.activeIdentity(), id),
  ])
  return { artifacts, chunks, indexed: artifacts }
}

/** The chunks of an active run are not compared with its documents. */
export async function readSourceHealth(needs: HealthNeeds, source: SourceEntry) {
  const { db, scheduler, graphCounts } = needs
  const job = scheduler.find(source.id)
  return orUnhealthy(needs, source, async () => {
    const [counts, checkpoints, chunks, orphanChunks, rows, extraction] = await Promise.all([
      countArtifacts(db, source.id),
      listCheckpoints(db, source.id),
      countChunks(db, source.id),
      job && isActive(job) ? 0 : countOrphans(db, source.id),
      graphCounts(source),
      source.kind === 'import' ? readExtraction(db, source) : undefined,
    ])
    const facts = { counts, checkpoints, chunks, orphanChunks, job, rows, extraction }
    return toHealth(needs, source, facts)
  })
}

/** A fault of the diagnosis is an unhealthy source. */
async function orUnhealthy(
  needs: HealthNeeds,
  source: SourceEntry,
  read: () => Promise<ReturnType<typeof toHealth>>,
): Promise<ReturnType<typeof toHealth>> {
  try {
    return await read()
  } catch (error) {
    needs.log.warn({ err: error, source: source.id }, 'source health failed')
    return toHealth(needs, source, { ...unknown, error: 'The rows of the source cannot be read.' })
  }
}

interface Facts {
  readonly counts: ArtifactCounts
  readonly checkpoints: readonly CheckpointRow[]
  readonly chunks: number
  readonly orphanChunks: number
  readonly job: IndexJob | undefined
  readonly rows: Awaited<ReturnType<HealthNeeds['graphCounts']>>
  readonly extraction?: ExtractionCounts | undefined
  readonly error?: string
}

const unknown: Facts = {
  counts: { artifacts: 0, failures: 0, recoverableFailures: 0, deleted: 0, latestAt: null },
  checkpoints: [],
  chunks: 0,
  orphanChunks: 0,
  job: undefined,
  rows: {
    entities: 0,
    aspects: 0,
    attributes: 0,
    dependencies: 0,
    files: 0,
    latestDocumentId: null,
  },
}

function toHealth({ host }: Pick<HealthNeeds, 'host'>, source: SourceEntry, facts: Facts) {
  const { counts, chunks, orphanChunks, job, rows, extraction, error } = facts
  const checkpoints = countCheckpoints(source, facts.checkpoints)
  const permission = readPermission(source, job)
  const isDegraded =
    counts.failures + counts.deleted + orphanChunks + checkpoints.partial + checkpoints.stale > 0
  const isUnhealthy = permission.status === 'denied' || error !== undefined
  const status = isUnhealthy ? 'unhealthy' : isDegraded ? 'degraded' : 'healthy'
  const latest = facts.checkpoints
    .map(({ updatedAt }) => updatedAt)
    .toSorted()
    .at(-1)
  return {
    status: status as 'unhealthy' | 'degraded' | 'healthy',
    ...(error !== undefined && { error }),
    generatedAt: host.now().toISOString(),
    latestArtifactAt: counts.latestAt,
    latestCheckpointAt: latest ?? null,
    chunkCoverage: coverage(chunks, counts.artifacts),
    failures: { total: counts.failures, recoverable: counts.recoverableFailures },
    checkpoints,
    purge: { deletedArtifacts: counts.deleted, orphanChunks },
    semantic: toSemantic(rows),
    permission,
    ...(extraction && { importExtraction: extraction }),
  }
}

/** A document is an entity too. The rows of sources belong to no community. */
function toSemantic({ files, latestDocumentId, ...rows }: Facts['rows']) {
  return {
    ...rows,
    communities: 0,
    total: Object.values(rows).reduce((sum, count) => sum + count, 0),
    documents: files,
    documentEntityId: latestDocumentId,
  }
}

function countCheckpoints({ lastIndexedAt }: SourceEntry, checkpoints: readonly CheckpointRow[]) {
  const limit = lastIndexedAt === undefined ? 0 : Date.parse(lastIndexedAt) - staleAfterMs
  return {
    total: checkpoints.length,
    partial: checkpoints.filter(({ status }) => status === 'partial').length,
    stale: checkpoints.filter(({ updatedAt }) => Date.parse(updatedAt) < limit).length,
  }
}

function readPermission({ root }: SourceEntry, job: IndexJob | undefined) {
  const isDenied = job?.error?.startsWith('permission_denied') === true
  const guidance = 'Give the user of the service read access, then run reverie source reindex.'
  return isDenied
    ? { status: 'denied' as const, issues: [{ path: root, guidance }] }
    : { status: 'clear' as const, issues: [] }
}

function coverage(chunks: number, artifacts: number): number {
  if (artifacts === 0) return chunks > 0 ? 1 : 0
  return Math.min(1, chunks / artifacts)
}
