import type { Db } from '../../kernel/db/database.ts'
import { executeBatch, type Write } from '../../kernel/db/execute-batch.ts'
import { afterCommit, settleAll } from '../../kernel/db/transaction.ts'
import { memoryChanged, memoryForgotten, memorySaved, toEventFields } from './events.ts'
import { type Author, type HistoryEvent, type Memory, newHistoryEvent } from './memory.ts'
import type { MemoryNeeds } from './needs.ts'
import { followSources } from './sources.ts'
import { insertHistoryQueries } from './store/history.ts'
import { listByIds } from './store/memories.ts'
import { insertMemoriesQueries, updateMemoriesQueries } from './store/memory-batches.ts'

/** A row of another capability that recall finds as a memory with the same id. */
export interface Projection
  extends Pick<
    Memory,
    'id' | 'agentId' | 'project' | 'content' | 'importance' | 'confidence' | 'reviewAfter'
  > {
  readonly visibility: 'global' | 'private'
  readonly createdAt: string
  /** `superseded`: by the memory `supersededBy`. */
  readonly state: 'current' | 'superseded' | 'removed'
  readonly supersededBy: string | null
  /** Superseded by the same transaction that inserted it: its memory is history. */
  readonly wasCurrent?: boolean
}

type Needs = Pick<MemoryNeeds, 'host' | 'events' | 'embeddings' | 'evidenceDependants'>

interface ProjectionInput {
  readonly actor: Author
  readonly rows: readonly Projection[]
  /** Rows that no longer exist. */
  readonly goneIds?: readonly string[]
  /** The memories with these ids, if the caller has read them. */
  readonly storedMemories?: readonly Memory[]
  /** Writes of the caller for the rows that exist afterwards, in the same message. */
  readonly followUpWrites?: (existingIds: ReadonlySet<string>) => readonly Write[]
}

/**
 * Makes derived memories equal to their projections, in the transaction of `db`: inserts, renames,
 * supersedes, removes or restores each row as its state requires.
 */
export async function saveProjections(
  needs: Needs,
  db: Db,
  { actor, rows, goneIds = [], followUpWrites = () => [], ...input }: ProjectionInput,
): Promise<void> {
  const memories =
    input.storedMemories ?? (await listByIds(db, [...rows.map(({ id }) => id), ...goneIds]))
  const stored = new Map(memories.map((memory) => [memory.id, memory]))
  const removedRows = goneIds.flatMap((id) => toRemoved(stored.get(id)))
  const steps = [...rows, ...removedRows].flatMap((row) => {
    const memory = stored.get(row.id)
    const step = memory ? changeRow(memory, row, needs) : insertRow(row, needs)
    return step ? [step] : []
  })
  const inserted = steps.flatMap(({ memory, set }) => (set ? [] : [memory]))
  const changed = steps.flatMap(({ memory, set }) => (set ? [{ memory, set }] : []))
  const toHistory = ({ memory, set, ...texts }: Step) =>
    newHistoryEvent({ ...needs, caller: actor }, { ...texts, memoryId: memory.id })
  const writes = [
    ...insertMemoriesQueries(db, inserted),
    ...inserted.flatMap((memory) => needs.embeddings.embedInline(memory)?.writes(db) ?? []),
    ...updateMemoriesQueries(db, changed),
    ...insertHistoryQueries(db, steps.map(toHistory)),
  ]
  const existingIds = new Set([...stored.keys(), ...steps.map(({ memory }) => memory.id)])
  writes.push(...followUpWrites(existingIds))
  const followAll = async () => {
    for (const event of ['deleted', 'recovered'] as const) {
      const ids = steps.filter((step) => step.event === event).map(({ memory }) => memory.id)
      const change = { event, ids, now: needs.host.now().toISOString() }
      if (ids.length > 0) await followSources({ ...needs, caller: actor }, db, change)
    }
  }
  if (writes.length > 0) await settleAll([executeBatch(db, writes), followAll()])
  for (const step of steps) afterCommit(db, () => announce(needs, step))
}

function toRemoved(memory: Memory | undefined): Projection[] {
  if (memory?.memoryKind !== 'derived' || memory.visibility === 'archived') return []
  const { visibility } = memory
  return [{ ...memory, visibility, state: 'removed', supersededBy: null }]
}

interface Step extends Pick<HistoryEvent, 'event' | 'createdAt'> {
  readonly memory: Memory
  /** Absent for a new row. */
  readonly set?: Partial<Memory>
  readonly oldContent?: string | null
  readonly newContent?: string | null
}

function insertRow(row: Projection, { host }: Needs): Step | undefined {
  const isHistory = row.state === 'superseded' && row.wasCurrent === true
  if (row.state !== 'current' && !isHistory) return undefined
  const now = host.now().toISOString()
  const { state, wasCurrent, ...fields } = row
  const memory = {
    ...initialFields,
    ...fields,
    ...hashOf(row, 1),
    sourceId: row.id,
    supersededAt: isHistory ? now : null,
    updatedAt: now,
  }
  return { event: 'created', createdAt: now, memory }
}

/** The hash follows the version, so that a changed content gets a new vector. */
function hashOf({ id }: Projection, version: number) {
  return { contentHash: `semantic-attribute:${id}${version > 1 ? `:${version}` : ''}`, version }
}

function changeRow(memory: Memory, row: Projection, { host }: Needs): Step | undefined {
  const now = host.now().toISOString()
  const { content, importance, confidence, visibility, project, reviewAfter } = row
  const isRemoved = row.state === 'removed'
  const supersededBy = row.state === 'superseded' ? row.supersededBy : null
  const fields = {
    content,
    importance,
    confidence,
    visibility,
    project,
    reviewAfter,
    supersededBy,
    deletedAt: isRemoved ? (memory.deletedAt ?? now) : null,
  }
  const changed = (Object.keys(fields) as (keyof typeof fields)[]).filter(
    (field) => fields[field] !== memory[field],
  )
  if (changed.length === 0) return undefined
  const version = memory.version + 1
  const isRenamed = content !== memory.content
  // A database recomputes the text index of a column that is set, even to the same value.
  const set: Partial<Memory> = {
    ...Object.fromEntries(changed.map((field) => [field, fields[field]])),
    ...(isRenamed ? hashOf(row, version) : { version }),
    supersededAt: supersededBy === null ? null : (memory.supersededAt ?? now),
    updatedAt: now,
  }
  const texts = {
    oldContent: isRenamed || isRemoved ? memory.content : null,
    newContent: isRenamed ? content : null,
  }
  return { event: eventOf(memory, fields), createdAt: now, memory, set, ...texts }
}

function eventOf(
  before: Memory,
  after: Pick<Memory, 'deletedAt' | 'supersededBy'>,
): HistoryEvent['event'] {
  if ((before.deletedAt === null) !== (after.deletedAt === null))
    return after.deletedAt === null ? 'recovered' : 'deleted'
  if (before.supersededBy === after.supersededBy) return 'updated'
  return after.supersededBy === null ? 'recovered' : 'superseded'
}

function announce({ events }: Needs, { memory, set, event }: Step): void {
  const type = event === 'deleted' ? memoryForgotten : memoryChanged
  if (set) events.emit(type, { ...toEventFields(memory), version: memory.version + 1 })
  else events.emit(memorySaved, toEventFields(memory))
}

const initialFields = {
  scope: null,
  sessionId: null,
  sourceType: 'ontology',
  sourcePart: null,
  sourcePath: null,
  runtimePath: null,
  idempotencyKey: null,
  type: 'semantic',
  memoryKind: 'derived',
  tags: ['semantic', 'attribute'],
  pinned: false,
  who: 'dreaming',
  updatedBy: 'dreaming',
  extractionStatus: 'none',
  deletedAt: null,
  supersededAt: null,
  supersededReason: null,
  evidence: null,
} as const
