import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { messageOf } from '../../kernel/errors/system-error.ts'
import { Reply } from '../../kernel/http/route.ts'
import { createTaskThread } from '../../kernel/threads/task-thread.ts'
import { listEmbedded } from './export.ts'
import type { ExportedMemory } from './needs.ts'
import type { Runtime } from './runtime.ts'
import type { projectionReply } from './schemas.ts'
import {
  deleteOldProjections,
  deleteProjections,
  findProjection,
  upsertProjection,
} from './store/projections.ts'
import type { StoredProjection } from './store/rows.ts'
import { readVectors } from './store/vectors.ts'
import type * as projection from './threads/projection-worker.ts'

const maxNodes = 5000
const readBatchSize = 500
/** Number of leading vector dimensions that the layout uses. */
const width = 64
const maxConcurrent = 2
const maxStored = 32
const timeoutMs = 300_000
const idleTimeoutMs = 1000
const failureTtlMs = 30_000

type StoredLayout = projection.ProjectionResult & { readonly createdAt: string }

export type Projection =
  | { readonly status: 'computing'; readonly count: number; readonly total: number }
  | { readonly status: 'error'; readonly message: string }
  | {
      readonly status: 'cached'
      readonly nodes: readonly {
        readonly memory: ExportedMemory
        readonly point: readonly number[]
      }[]
      readonly edges: projection.ProjectionResult['edges']
      readonly total: number
      readonly cachedAt: string
    }

interface ProjectionRequest {
  readonly dimensions: number
  /** A namespace; default: memories without a namespace. */
  readonly scope?: string | undefined
}

interface LayoutRequest extends Pick<StoredProjection, 'scope' | 'dimensions' | 'fingerprint'> {
  readonly ids: readonly string[]
}

/** Computes 2D or 3D layouts of the readable memories in the background. */
export function createProjections(runtime: Runtime) {
  const { needs, pendingWork } = runtime
  const running = new Set<string>()
  const failures = new Map<string, { readonly message: string; readonly until: number }>()
  const thread = createTaskThread<typeof projection>({
    host: needs.host,
    idleTimeoutMs,
    from: import.meta.url,
    module: './threads/projection-worker',
  })
  const compute = async (layoutRequest: LayoutRequest, key: string): Promise<void> => {
    try {
      const task = await toTask(runtime, layoutRequest)
      await saveLayout(runtime, layoutRequest, await thread.run('project', task, timeoutMs))
      failures.delete(key)
    } catch (error) {
      needs.log.warn({ err: error }, 'projection failed')
      const message = messageOf(error)
      failures.clear()
      failures.set(key, { message, until: needs.host.now().getTime() + failureTtlMs })
    } finally {
      running.delete(key)
    }
  }
  const startCompute = (layoutRequest: LayoutRequest, key: string): void => {
    if (running.has(key) || running.size >= maxConcurrent) return
    running.add(key)
    void pendingWork.run(0, () => compute(layoutRequest, key))
  }
  return {
    read: async (caller: Caller, request: ProjectionRequest): Promise<Projection> => {
      const { scope } = request
      const page = { limit: maxNodes, offset: 0, scope }
      const { memories, total } = await listEmbedded(runtime, caller, page)
      const layoutRequest = toLayoutRequest(runtime, { caller, request, memories })
      const layout = await findLayout(runtime, layoutRequest)
      if (layout) return toProjection(memories, layout, total)
      const key = `${layoutRequest.scope} ${layoutRequest.dimensions}`
      const { message, until = 0 } = failures.get(key) ?? {}
      if (message !== undefined && needs.host.now().getTime() < until)
        return { status: 'error', message }
      startCompute(layoutRequest, key)
      return { status: 'computing', count: memories.length, total }
    },
    close: () => thread.close(),
  }
}

interface ProjectionInput {
  readonly caller: Caller
  readonly request: ProjectionRequest
  readonly memories: readonly ExportedMemory[]
}

function toLayoutRequest(
  { registry }: Runtime,
  { caller, request, memories }: ProjectionInput,
): LayoutRequest {
  const { dimensions, scope } = request
  const filters = [caller.scope.project ?? null, ...(scope === undefined ? [] : [scope])]
  const hash = createHash('sha256').update(registry.models().active?.identity ?? '')
  for (const { id, contentHash } of memories) hash.update(id).update(contentHash)
  return {
    scope: `${scopePrefix(caller.agentId)}${JSON.stringify(filters).slice(1)}`,
    dimensions,
    fingerprint: hash.digest('hex'),
    ids: memories.map(({ id }) => id),
  }
}

/** Common prefix of all scopes of an agent. */
function scopePrefix(agentId: string): string {
  return `[${JSON.stringify(agentId)},`
}

export function deleteProjectionsOfAgent(db: Db, agentId: string): Promise<void> {
  return deleteProjections(db, scopePrefix(agentId))
}

async function findLayout(
  { needs }: Runtime,
  layoutRequest: LayoutRequest,
): Promise<StoredLayout | undefined> {
  if (layoutRequest.ids.length === 0)
    return { points: [], edges: [], createdAt: needs.host.now().toISOString() }
  const row = await findProjection(needs.db, layoutRequest)
  if (row?.fingerprint !== layoutRequest.fingerprint) return undefined
  return { ...JSON.parse(row.payload), createdAt: row.createdAt }
}

function toProjection(
  memories: readonly ExportedMemory[],
  { points, edges, createdAt: cachedAt }: StoredLayout,
  total: number,
): Projection {
  const nodes = memories.map((memory, index) => ({ memory, point: points[index] ?? [] }))
  return { status: 'cached', nodes, edges, total, cachedAt }
}

async function toTask(
  { needs, registry }: Runtime,
  layoutRequest: LayoutRequest,
): Promise<projection.ProjectionTask> {
  const { dimensions, ids } = layoutRequest
  const values = new Float32Array(ids.length * width)
  const { identity = '' } = registry.models().active ?? {}
  for (let start = 0; start < ids.length; start += readBatchSize) {
    const page = ids.slice(start, start + readBatchSize)
    const vectors = await readVectors(needs.background, identity, page)
    for (const [index, id] of page.entries())
      values.set(vectors.get(id)?.subarray(0, width) ?? [], (start + index) * width)
  }
  return { values, width, dimensions }
}

async function saveLayout(
  { needs }: Runtime,
  layoutRequest: LayoutRequest,
  result: projection.ProjectionResult,
) {
  const { scope, dimensions, fingerprint } = layoutRequest
  const createdAt = needs.host.now().toISOString()
  const payload = JSON.stringify(result)
  await upsertProjection(needs.db, { scope, dimensions, fingerprint, payload, createdAt })
  await deleteOldProjections(needs.db, maxStored)
}

interface ProjectionHandlerNeeds extends Pick<Runtime, 'needs'> {
  readonly projections: Pick<ReturnType<typeof createProjections>, 'read'>
}

/** A fault returns a failed projection; the caller may retry immediately. */
export async function handleProjection(
  { needs, projections }: ProjectionHandlerNeeds,
  caller: Caller,
  request: ProjectionRequest,
) {
  const { dimensions } = request
  try {
    return toProjectionReply(await projections.read(caller, request), dimensions)
  } catch (error) {
    if (error instanceof Refusal) throw error
    needs.log.error({ err: error }, 'projection read failed')
    return toProjectionReply({ status: 'error', message: 'Failed to load embeddings' }, dimensions)
  }
}

type ProjectionReply = z.input<typeof projectionReply>

function toProjectionReply(
  projection: Projection,
  dimensions: number,
): ProjectionReply | Reply<ProjectionReply> {
  if (projection.status === 'error') return new Reply(500, projection)
  if (projection.status === 'computing') return new Reply(202, { ...projection, dimensions })
  const { nodes, edges, total, cachedAt } = projection
  return {
    status: 'cached',
    dimensions,
    count: nodes.length,
    total,
    cachedAt,
    nodes: nodes.map(({ memory, point: [x = 0, y = 0, z] }) => ({
      ...memory,
      tags: [...memory.tags],
      x,
      y,
      ...(z !== undefined && { z }),
    })),
    edges: edges.map(([a, b]) => [a, b]),
  }
}
