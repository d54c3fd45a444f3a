import { createHash } from 'node:crypto'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { createTaskThread } from '../../kernel/threads/task-thread.ts'
import { listEmbedded } from './export.ts'
import type { Exported } from './needs.ts'
import type { Runtime } from './runtime.ts'
import {
  deleteOldProjections,
  deleteProjections,
  findProjection,
  upsertProjection,
} from './store/projections.ts'
import { readVectors } from './store/vectors.ts'
import type * as projection from './threads/projection-worker.ts'

const mostNodes = 5000
const readAtOnce = 500
/** What of a vector takes part. */
const width = 64
const computedAtOnce = 2
const kept = 32
const timeoutMs = 300_000
const restMs = 1000
const failureHoldsMs = 30_000

type Laid = projection.ProjectionAnswer & { readonly createdAt: string }

export type Projection =
  | { readonly status: 'computing'; readonly count: number; readonly total: number }
  | { readonly status: 'error'; readonly message: string }
  | {
      readonly status: 'cached'
      readonly nodes: readonly { readonly memory: Exported; readonly point: readonly number[] }[]
      readonly edges: projection.ProjectionAnswer['edges']
      readonly total: number
      readonly cachedAt: string
    }

export interface ProjectionRequest {
  readonly dimensions: number
  /** A namespace; without one what is in none is laid out. */
  readonly scope?: string | undefined
}

interface Wanted {
  /** Whose view it is. */
  readonly scope: string
  readonly dimensions: number
  readonly fingerprint: string
  readonly ids: readonly string[]
}

/** The memories that a caller sees, laid out by meaning; computed behind the answers. */
export function createProjections(runtime: Runtime) {
  const { needs, underWay } = runtime
  const running = new Set<string>()
  const failures = new Map<string, { readonly message: string; readonly until: number }>()
  const thread = createTaskThread<typeof projection>({
    ...{ host: needs.host, restMs, from: import.meta.url, module: './threads/projection-worker' },
  })
  const compute = async (wanted: Wanted, key: string): Promise<void> => {
    try {
      await store(
        runtime,
        wanted,
        await thread.run('project', await toTask(runtime, wanted), timeoutMs),
      )
      failures.delete(key)
    } catch (error) {
      needs.log.warn({ err: error }, 'the projection failed')
      const message = error instanceof Error ? error.message : String(error)
      failures.clear()
      failures.set(key, { message, until: needs.host.now().getTime() + failureHoldsMs })
    } finally {
      running.delete(key)
    }
  }
  const begin = (wanted: Wanted, key: string): void => {
    if (running.has(key) || running.size >= computedAtOnce) return
    running.add(key)
    void underWay.within(0, () => compute(wanted, key))
  }
  return {
    read: async (caller: Caller, request: ProjectionRequest): Promise<Projection> => {
      const { scope } = request
      const page = { limit: mostNodes, offset: 0, scope }
      const { memories, total } = await listEmbedded(runtime, caller, page)
      const wanted = toWanted(runtime, { caller, request, memories })
      const laid = await findLaid(runtime, wanted)
      if (laid) return toProjection(memories, laid, total)
      const key = `${wanted.scope} ${wanted.dimensions}`
      const { message, until = 0 } = failures.get(key) ?? {}
      if (message !== undefined && needs.host.now().getTime() < until)
        return { status: 'error', message }
      begin(wanted, key)
      return { status: 'computing', count: memories.length, total }
    },
    close: () => thread.close(),
  }
}

interface Asked {
  readonly caller: Caller
  readonly request: ProjectionRequest
  readonly memories: readonly Exported[]
}

function toWanted({ makers }: Runtime, { caller, request, memories }: Asked): Wanted {
  const { dimensions, scope } = request
  const narrowed = [caller.scope.project ?? null, ...(scope === undefined ? [] : [scope])]
  const hash = createHash('sha256').update(makers.models().active?.identity ?? '')
  for (const { id, contentHash } of memories) hash.update(id).update(contentHash)
  return {
    scope: `${startOfScopes(caller.agentId)}${JSON.stringify(narrowed).slice(1)}`,
    dimensions,
    fingerprint: hash.digest('hex'),
    ids: memories.map(({ id }) => id),
  }
}

/** Whatever project and namespace an agent reads in, its scopes begin so. */
function startOfScopes(agentId: string): string {
  return `[${JSON.stringify(agentId)},`
}

export function deleteProjectionsOfAgent(db: Db, agentId: string): Promise<void> {
  return deleteProjections(db, startOfScopes(agentId))
}

async function findLaid({ needs }: Runtime, wanted: Wanted): Promise<Laid | undefined> {
  if (wanted.ids.length === 0)
    return { points: [], edges: [], createdAt: needs.host.now().toISOString() }
  const found = await findProjection(needs.db, wanted)
  if (found?.fingerprint !== wanted.fingerprint) return undefined
  return { ...JSON.parse(found.payload), createdAt: found.createdAt }
}

function toProjection(
  memories: readonly Exported[],
  { points, edges, createdAt: cachedAt }: Laid,
  total: number,
): Projection {
  const nodes = memories.map((memory, at) => ({ memory, point: points[at] ?? [] }))
  return { status: 'cached', nodes, edges, total, cachedAt }
}

async function toTask(
  { needs, makers }: Runtime,
  wanted: Wanted,
): Promise<projection.ProjectionTask> {
  const { dimensions, ids } = wanted
  const values = new Float32Array(ids.length * width)
  const { identity = '' } = makers.models().active ?? {}
  for (let start = 0; start < ids.length; start += readAtOnce) {
    const page = ids.slice(start, start + readAtOnce)
    const vectors = await readVectors(needs.background, identity, page)
    for (const [at, id] of page.entries())
      values.set(vectors.get(id)?.subarray(0, width) ?? [], (start + at) * width)
  }
  return { values, width, dimensions }
}

async function store({ needs }: Runtime, wanted: Wanted, answer: projection.ProjectionAnswer) {
  const { scope, dimensions, fingerprint } = wanted
  const createdAt = needs.host.now().toISOString()
  const payload = JSON.stringify(answer)
  await upsertProjection(needs.db, { scope, dimensions, fingerprint, payload, createdAt })
  await deleteOldProjections(needs.db, kept)
}
