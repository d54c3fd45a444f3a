import type { ExtensionPoint } from '../../../kernel/capability/extension-point.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import type { Log } from '../../../kernel/log/log.ts'
import type { ImportedRows } from '../ports.ts'
import { sourcesRefusal } from '../refusals.ts'
import type { Registry } from '../registry/registry.ts'
import type { RunScheduler } from '../runs/scheduler.ts'
import { ownerOf, type SourceEntry } from '../source.ts'
import { saveRemoval } from '../store/lifecycle.ts'
import { type Purged, type PurgeNeeds, purgeSource } from './purge.ts'
import type { Tombstone, Tombstones } from './tombstones.ts'

type RemovalReason = 'removed' | 'replaced'

export interface DeletionNeeds extends PurgeNeeds {
  /** The rows of imported files that other capabilities own. */
  readonly importedRows: Pick<ExtensionPoint<ImportedRows>, 'list'>
  readonly log: Log
  readonly registry: Registry
  readonly tombstones: Tombstones
  readonly scheduler: Pick<RunScheduler, 'cancel' | 'settled' | 'forget'>
}

interface Deleted {
  readonly source: SourceEntry
  readonly purged: Purged
  /** Rows remain: the deletion continues at the next request or start. */
  readonly pending?: true
  /** The source is gone; a cancelled run or the tombstone is not yet. */
  readonly cleanupPending?: true
}

export interface SourceDeletion {
  /** Deletes a source of the agent, or resumes its deletion. Refuses `source_not_found`. */
  delete(agentId: string, sourceId: string, reason?: RemovalReason): Promise<Deleted>
  /** Whether a source with this id is being deleted. */
  isDeleting(sourceId: string): Promise<boolean>
  /** Whether this life of a source has a tombstone. */
  isDeleted(source: Pick<SourceEntry, 'id' | 'generation'>): Promise<boolean>
  /** Finishes the deletions that an earlier daemon began. */
  resume(): Promise<void>
}

const nothing: Purged = {
  artifacts: 0,
  chunks: 0,
  entities: 0,
  aspects: 0,
  attributes: 0,
  dependencies: 0,
}

export function createDeletion(needs: DeletionNeeds): SourceDeletion {
  const active = new Map<string, Promise<Deleted>>()
  const { tombstones, registry } = needs
  const find = async (agentId: string, sourceId: string) => {
    const pending = (await tombstones.list()).find(({ id }) => id === sourceId)
    const source = pending?.source ?? (await registry.find(sourceId))
    if (!source || ownerOf(source) !== agentId) throw sourcesRefusal('source_not_found')
    return { source, pending }
  }
  const start = async (agentId: string, sourceId: string, reason: RemovalReason) => {
    const { source, pending } = await find(agentId, sourceId)
    return deleteFound(needs, source, { pending, reason })
  }
  return {
    delete: (agentId, sourceId, reason = 'removed') => {
      const running = active.get(sourceId)
      if (running !== undefined)
        // A second request waits for the first, then finds what remains.
        return running.then((deleted) =>
          ownerOf(deleted.source) === agentId ? deleted : start(agentId, sourceId, reason),
        )
      const deletion = start(agentId, sourceId, reason).finally(() => active.delete(sourceId))
      active.set(sourceId, deletion)
      return deletion
    },
    isDeleting: async (sourceId) =>
      active.has(sourceId) || (await tombstones.list()).some(({ id }) => id === sourceId),
    isDeleted: async ({ id, generation }) =>
      (await tombstones.list()).some(
        (one) => one.id === id && one.source.generation === generation,
      ),
    resume: async () => {
      for (const { id, agentId } of await tombstones.list())
        await start(agentId, id, 'removed').catch((error: unknown) => {
          needs.log.error({ err: error, source: id }, 'source deletion failed')
        })
    },
  }
}

async function deleteFound(
  needs: DeletionNeeds,
  source: SourceEntry,
  { pending, reason }: { readonly pending: Tombstone | undefined; readonly reason: RemovalReason },
): Promise<Deleted> {
  const { tombstones, scheduler, host, log } = needs
  await assertRemovable(needs, source)
  const isEnded = await scheduler.cancel(source.id, 'deleted')
  if (!pending)
    await tombstones.add({
      id: source.id,
      source,
      agentId: ownerOf(source),
      deletedAt: host.now().toISOString(),
    })
  let purged = nothing
  try {
    purged = await purge(needs, source)
    await removeImported(needs, source, reason)
    await needs.registry.remove(source)
  } catch (error) {
    log.error({ err: error, source: source.id }, 'source deletion failed')
    return { source, purged, pending: true }
  }
  if (!isEnded) {
    void finishLater(needs, source)
    return { source, purged, cleanupPending: true }
  }
  return clear(needs, source, purged)
}

/** Refuses while an import works on the source. */
async function assertRemovable(
  { importedRows }: DeletionNeeds,
  source: SourceEntry,
): Promise<void> {
  if (source.kind !== 'import') return
  const key = { agentId: ownerOf(source), sourceId: source.id }
  for (const rows of importedRows.list()) await rows.assertRemovable(key)
}

/** Removes what an import has brought, and records its end. */
async function removeImported(
  { db, host, importedRows, attention }: DeletionNeeds,
  source: SourceEntry,
  reason: RemovalReason,
): Promise<void> {
  if (source.kind !== 'import') return
  const key = { agentId: ownerOf(source), sourceId: source.id }
  for (const rows of importedRows.list()) await rows.remove(key)
  await transaction(db, async (db) => {
    await saveRemoval(db, { ...key, reason, removedAt: host.now().toISOString() })
    await attention.enqueue(db, {
      agentId: key.agentId,
      kind: 'hygiene',
      subjectRef: `source:${source.id}`,
      details: {
        sourceId: source.id,
        reason: 'import-source-removed',
        lifecycle: 'unsupported',
      },
      priority: 90,
    })
  })
}

async function clear(
  { tombstones, scheduler, log }: DeletionNeeds,
  source: SourceEntry,
  purged: Purged,
): Promise<Deleted> {
  scheduler.forget(source.id)
  try {
    await tombstones.remove(source)
    return { source, purged }
  } catch (error) {
    log.error({ err: error, source: source.id }, 'tombstone update failed')
    return { source, purged, cleanupPending: true }
  }
}

/** A new life of the source keeps its rows. */
async function purge(needs: DeletionNeeds, source: SourceEntry): Promise<Purged> {
  const { id: sourceId, generation } = source
  const current = await needs.registry.find(sourceId)
  const isNewer = current !== undefined && current.generation !== generation
  const rows = { agentId: ownerOf(source), sourceId }
  return purgeSource(needs, { ...rows, generation: isNewer ? generation : undefined })
}

/** The cancelled run may have written a last item. */
async function finishLater(needs: DeletionNeeds, source: SourceEntry): Promise<void> {
  try {
    await needs.scheduler.settled(source.id)
    await purge(needs, source)
    await clear(needs, source, nothing)
  } catch (error) {
    needs.log.error({ err: error, source: source.id }, 'source deletion failed')
  }
}
