import type { Db } from '../../kernel/db/database.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { memoryChanged, memoryForgotten, toEventFields } from './events.ts'
import { notifyDependants } from './evidence.ts'
import { type Author, type Memory, newHistoryEvent } from './memory.ts'
import type { MemoryNeeds } from './needs.ts'
import { insertHistory } from './store/history.ts'
import { filterExisting } from './store/lists.ts'
import { findDuplicate, lockRevisions, updateMemory } from './store/memories.ts'
import { findLostAt, insertSources, listDependants, updateLostAt } from './store/sources.ts'

/** Links a new memory to its sources. Refuses `source_forgotten`. */
export async function linkSources(
  db: Db,
  memoryId: string,
  sourceIds: readonly string[],
): Promise<void> {
  if (sourceIds.length === 0) return
  const live = await filterExisting(db, sourceIds)
  if (live.length < new Set(sourceIds).size) throw sourceForgotten()
  await insertSources(db, memoryId, sourceIds)
}

/** Taken first, so that no source is forgotten while it is linked. */
export async function lockSources(db: Db, sourceIds: readonly string[]): Promise<void> {
  if (sourceIds.length > 0) await lockRevisions(db)
}

interface SourceNeeds extends Pick<MemoryNeeds, 'host' | 'events' | 'evidenceDependants'> {
  readonly caller: Author
}

interface SourceChange {
  readonly event: 'deleted' | 'recovered' | 'updated'
  readonly ids: readonly string[]
  readonly now: string
}

/**
 * A memory that was derived from a forgotten one is forgotten with it, and is due for review when
 * it returns.
 */
export async function followSources(
  needs: SourceNeeds,
  db: Db,
  change: SourceChange,
): Promise<void> {
  if (change.event === 'updated') return
  const follow = change.event === 'deleted' ? withhold : restore
  for (const memory of await listDependants(db, change.ids))
    await follow(needs, db, { ...change, memory })
}

interface DependantChange extends SourceChange {
  readonly memory: Memory
}

async function withhold(
  needs: SourceNeeds,
  db: Db,
  { memory, ids: sourceIds, now }: DependantChange,
): Promise<void> {
  const { id: memoryId, deletedAt } = memory
  const lostAt = (await findLostAt(db, memoryId)) ?? now
  await updateLostAt(db, { memoryId, sourceIds }, lostAt)
  if (deletedAt === null)
    await change(needs, db, {
      memory,
      event: 'deleted',
      now,
      set: { deletedAt: now, reviewAfter: now },
    })
}

/** A memory that its agent deleted, or that was saved again since, is not restored. */
async function restore(
  needs: SourceNeeds,
  db: Db,
  { memory, ids: sourceIds, now }: DependantChange,
): Promise<void> {
  const { id: memoryId, deletedAt } = memory
  const lostAt = await findLostAt(db, memoryId)
  await updateLostAt(db, { memoryId, sourceIds }, null)
  if (deletedAt === null || deletedAt !== lostAt) return
  const hasAll = (await findLostAt(db, memoryId)) === null
  if (hasAll && !(await findDuplicate(db, memory)))
    await change(needs, db, { memory, event: 'recovered', now, set: { deletedAt: null } })
}

interface Write {
  readonly memory: Memory
  readonly event: 'deleted' | 'recovered'
  readonly set: Partial<Memory>
  readonly now: string
}

async function change(
  needs: SourceNeeds,
  db: Db,
  { memory, event, set, now }: Write,
): Promise<void> {
  const { id, agentId, content } = memory
  const version = memory.version + 1
  const { name: updatedBy } = needs.caller
  if (!(await updateMemory(db, memory, { ...set, version, updatedAt: now, updatedBy })))
    throw new Refusal(
      'unavailable',
      'database_busy',
      'Concurrent update of a derived memory; retry.',
    )
  const oldContent = event === 'deleted' ? content : null
  const reason = event === 'deleted' ? 'a source was forgotten' : 'its sources were recovered'
  const texts = { memoryId: id, event, reason, createdAt: now, oldContent }
  await insertHistory(db, newHistoryEvent(needs, texts))
  await notifyDependants(needs, db, { event, agentId, ids: [id] })
  await followSources(needs, db, { event, ids: [id], now })
  const type = event === 'deleted' ? memoryForgotten : memoryChanged
  afterCommit(db, () => needs.events.emit(type, { ...toEventFields(memory), version }))
}

/** A derived memory returns with its sources only. */
export async function assertHasSources(db: Db, memoryId: string): Promise<void> {
  if ((await findLostAt(db, memoryId)) !== null) throw sourceForgotten()
}

function sourceForgotten(): Refusal {
  const message = 'A source of this memory was forgotten. Recover the source first.'
  return new Refusal('conflict', 'source_forgotten', message)
}
