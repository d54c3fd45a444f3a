import { transaction } from '../../../kernel/db/transaction.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { toCount } from '../../../kernel/errors/to-count.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import type { ChunkEmbedder } from '../embed-chunks.ts'
import {
  type ItemFailure,
  RateLimited,
  RunCancelled,
  RunFailure,
  type SourceItem,
  type SourceKind,
  type SyncContext,
} from '../kinds/kind.ts'
import type { SourcesOptions } from '../needs.ts'
import type { Registry } from '../registry/registry.ts'
import { hashOf, ownerOf, type SourceEntry, toKindToken } from '../source.ts'
import { findArtifactState, trimFailures } from '../store/artifacts.ts'
import { deleteCheckpoint, findCheckpoint, saveCheckpoint } from '../store/checkpoints.ts'
import { countChunks } from '../store/chunks.ts'
import { batchItems, indexBatch, indexItem, removeItem } from './index-item.ts'
import type { IndexJob, RunResult } from './job.ts'
import type { Pace } from './pace.ts'
import type { RunControl } from './scheduler.ts'
import { listUnseen, removeBelow, toItemPath } from './stale-items.ts'

const maxFailuresInRow = 20
const maxFailures = 1_000
/** Items between two counts of the chunks. */
const roomCheckInterval = 100

export interface RunNeeds
  extends Pick<
    SourcesOptions,
    | 'db'
    | 'host'
    | 'log'
    | 'engine'
    | 'extractor'
    | 'config'
    | 'credentials'
    | 'graph'
    | 'evidenceDependants'
  > {
  readonly registry: Registry
  readonly embedder: ChunkEmbedder
  readonly pace: Pace
  readonly kinds: ReadonlyMap<string, SourceKind>
}

interface Tally {
  indexed: number
  failures: number
  failuresInRow: number
  roomChecks: number
}

/** Runs a source once. Never throws: a fault is a failed run. */
export async function runSource(
  needs: RunNeeds,
  source: SourceEntry,
  control: RunControl,
): Promise<Partial<IndexJob>> {
  const tally: Tally = { indexed: 0, failures: 0, failuresInRow: 0, roomChecks: 0 }
  try {
    const kind = needs.kinds.get(source.kind)
    if (!kind) throw new RunFailure(`Sources of the kind ${source.kind} have no runs.`)
    const context = createContext(needs, source, { control, tally })
    return await finish(needs, source, { result: await kind.sync(context), tally })
  } catch (error) {
    if (error instanceof RunCancelled) return { status: 'failed', partial: true }
    if (error instanceof RunFailure) return { ...failed(error.message), isFinal: error.isFinal }
    if (error instanceof RateLimited) return toPause(error)
    if (!control.signal.aborted)
      needs.log.error({ err: error, source: source.id }, 'source run failed')
    return failed('The run ended with a fault. The log has its cause.')
  }
}

const failed = (error: string) => ({ status: 'failed', partial: true, error }) as const

const toPause = ({ message, retryAt }: RateLimited) =>
  ({
    status: 'paused',
    partial: true,
    pauseReason: 'rate_limited',
    statusMessage: message,
    retryAt: retryAt.toISOString(),
  }) as const

async function finish(
  { registry, host }: RunNeeds,
  source: SourceEntry,
  { result, tally }: { readonly result: RunResult; readonly tally: Tally },
): Promise<Partial<IndexJob>> {
  if (result.status === 'failed') return failed(result.error)
  if (result.status === 'paused')
    return {
      status: 'paused',
      partial: true,
      pauseReason: result.reason,
      statusMessage: result.message,
      resumeFrontier: result.frontier,
    }
  if (tally.failures > 0)
    return failed(`${toCount(tally.failures, 'item')} failed. See reverie source health.`)
  await registry.update(source, { lastIndexedAt: host.now().toISOString() })
  return { status: 'complete', partial: false, statusMessage: undefined }
}

interface RunState {
  readonly control: RunControl
  readonly tally: Tally
}

function createContext(
  needs: RunNeeds,
  source: SourceEntry,
  { control: { signal, report, leavePlace }, tally }: RunState,
): SyncContext {
  const agentId = ownerOf(source)
  const seen = new Set<string>()
  const retained = new Set<string>()
  const keyOf = (sourcePath: string) => ({ agentId, sourceId: source.id, sourcePath })
  const assertActive = () => {
    if (signal.aborted) throw new RunCancelled('The run was cancelled.')
  }
  const saveAll = async (items: readonly SourceItem[], { isListed = true } = {}) => {
    assertActive()
    const room = Math.floor(tally.indexed / roomCheckInterval)
    if (room >= tally.roomChecks) {
      await assertRoom(needs)
      tally.roomChecks = room + 1
    }
    if (isListed) for (const { path } of items) seen.add(path)
    const saved = await needs.pace.run(() => indexBatch(needs, source, items), signal)
    tally.failuresInRow = 0
    tally.indexed += items.length
    report({ indexed: tally.indexed })
    return saved.map((rows) => rows !== undefined)
  }
  const isSeen = (path: string) => seen.has(path) || retained.has(toItemPath(path))
  return {
    source,
    signal,
    assertActive,
    report,
    leavePlace,
    save: async (item) => (await saveAll([item]))[0] === true,
    batchItems: () => needs.pace.limit(batchItems),
    isBusy: needs.pace.isBusy,
    saveAll: async (items) => void (await saveAll(items)),
    savePartial: async (items) => void (await saveAll(items, { isListed: false })),
    isCurrent: async (path, revision) => {
      const state = await findArtifactState(needs.db, keyOf(path))
      const meta = state?.generation === source.generation ? state.sourceMetaJson : null
      return meta !== null && Object(JSON.parse(meta)).revision === hashOf(revision)
    },
    retain: (path) => {
      seen.add(path)
      retained.add(path)
    },
    fail: async (failure) => {
      assertActive()
      for (const path of [failure.path, toFailurePath(source, failure)]) seen.add(path)
      tally.failures += 1
      tally.failuresInRow += 1
      await saveFailure(needs, source, failure)
      if (tally.failuresInRow >= maxFailuresInRow)
        throw new RunFailure(
          `${maxFailuresInRow} items failed in a row. The last: ${failure.message}`,
        )
    },
    remove: (path) => removeItem(needs, keyOf(path)),
    removeBelow: (path) => removeBelow(needs, source, path),
    listStale: (prefix) => listUnseen(needs, source, { isSeen, prefix, withFailures: false }),
    removeStale: async (prefix, isRetained = () => false) => {
      const rows = { isSeen: (path: string) => isSeen(path) || isRetained(path), prefix }
      const unseen = await listUnseen(needs, source, { ...rows, withFailures: true })
      for (const { path } of unseen) {
        assertActive()
        await removeItem(needs, keyOf(path))
      }
      return unseen.length
    },
    checkpoints: createCheckpoints(needs, source),
    readSecret: (reference) => readSecret(needs, reference),
    embed: () => needs.embedder.embedPending(signal),
  }
}

async function readSecret(needs: RunNeeds, reference: string): Promise<string> {
  const value = await resolveSecret(needs, reference)
  if (value !== undefined) return value
  throw new RunFailure(
    `The secret ${reference} has no value. Store it with reverie secret put ${reference}.`,
  )
}

async function resolveSecret({ credentials }: RunNeeds, reference: string) {
  try {
    return await credentials.resolve(reference, { environment: false })
  } catch (error) {
    if (error instanceof Refusal) throw new RunFailure(`${reference}: ${error.message}`)
    throw error
  }
}

/** The limit holds for all sources together. */
async function assertRoom({ db, config }: RunNeeds): Promise<void> {
  const { maxChunks } = config()
  if ((await countChunks(db)) >= maxChunks)
    throw new RunFailure(
      `The sources have ${maxChunks} chunks, the limit of sources.maxChunks. Delete sources, or raise it.`,
    )
}

const toFailurePath = ({ id }: SourceEntry, { path }: ItemFailure) =>
  `${id}/failures/${hashOf(path).slice(0, 16)}`

async function saveFailure(needs: RunNeeds, source: SourceEntry, failure: ItemFailure) {
  await indexItem(needs, source, toFailureItem(source, failure))
  const sourceKind = `source_${toKindToken(source.kind)}_failure`
  await trimFailures(needs.db, { sourceId: source.id, sourceKind, maxRows: maxFailures })
}

function toFailureItem(source: SourceEntry, failure: ItemFailure): SourceItem {
  const message = toCleanText(failure.message)
  return {
    path: toFailurePath(source, failure),
    type: 'failure',
    title: `Failed: ${failure.path}`,
    content: message,
    parentPath: failure.path,
    isSearchable: false,
    meta: {
      sourceId: source.id,
      providerKind: source.kind,
      recoverable: failure.recoverable,
      message,
      path: failure.path,
    },
  }
}

function createCheckpoints(
  { db, host }: RunNeeds,
  source: SourceEntry,
): SyncContext['checkpoints'] {
  return {
    read: async <Cursor>(key: string) => {
      const row = await findCheckpoint(db, source.id, key)
      if (row?.generation !== source.generation) return undefined
      return JSON.parse(row.cursorJson) as Cursor
    },
    write: (key, cursor, status = 'authoritative') =>
      transaction(db, (db) =>
        saveCheckpoint(db, {
          sourceId: source.id,
          generation: source.generation,
          key,
          cursorJson: JSON.stringify(cursor),
          status,
          updatedAt: host.now().toISOString(),
        }),
      ),
    remove: (key) => deleteCheckpoint(db, source.id, key),
  }
}
