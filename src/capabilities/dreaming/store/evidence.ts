import { compileOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { listParts } from '../../../kernel/db/insert-rows.ts'
import type { EvidenceEntry, SourceRef } from '../evidence/evidence.ts'
import { type StateRow, tables } from './rows.ts'

/** Where a stage has read up to. */
export type StageChars = 'rulesChars' | 'modelChars'

const columns = [
  'sourceKind',
  'sourceId',
  'contentHash',
  'sourceTime',
  'chars',
  'rulesChars',
  'modelChars',
  'priority',
  'disposition',
  'passId',
] as const

/** Entries that a stage has not read to the end: the most urgent first, then the oldest. */
export function listPending(
  db: Db,
  agentId: string,
  { stage, limit }: { readonly stage: StageChars; readonly limit: number },
): Promise<EvidenceEntry[]> {
  return tables(db)
    .selectFrom('dreamingEvidence')
    .select(columns)
    .where('agentId', '=', agentId)
    .whereRef(stage, '<', 'chars')
    .orderBy('priority', 'desc')
    .orderBy('sourceTime')
    .orderBy('sourceId')
    .limit(limit)
    .execute()
}

/** What a stage has not read and may read: characters, sources and the time of the oldest one. */
export async function sumPending(db: Db, agentId: string, stage: StageChars) {
  const hasExcluded = await hasExcludedPending(db, agentId, stage)
  const row = await tables(db)
    .selectFrom('dreamingEvidence')
    .select(({ fn, eb }) => [
      fn.sum<number | string | null>(eb('chars', '-', eb.ref(stage))).as('chars'),
      fn.countAll<number | string>().as('count'),
      fn.min('sourceTime').as('oldestAt'),
    ])
    .where('dreamingEvidence.agentId', '=', agentId)
    .whereRef(stage, '<', 'chars')
    .$if(hasExcluded, (query) =>
      query.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('dreamingExclusions')
              .select('dreamingExclusions.sourceId')
              .whereRef('dreamingExclusions.agentId', '=', 'dreamingEvidence.agentId')
              .whereRef('dreamingExclusions.sourceKind', '=', 'dreamingEvidence.sourceKind')
              .whereRef('dreamingExclusions.sourceId', '=', 'dreamingEvidence.sourceId')
              .where('dreamingExclusions.requeueRequestedAt', 'is', null),
          ),
        ),
      ),
    )
    .executeTakeFirst()
  return {
    chars: Number(row?.chars ?? 0),
    count: Number(row?.count ?? 0),
    oldestAt: row?.oldestAt ?? null,
  }
}

/** Few sources are excluded, so their entries are found by key. */
async function hasExcludedPending(db: Db, agentId: string, stage: StageChars): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('dreamingExclusions')
    .innerJoin('dreamingEvidence', (join) =>
      join
        .onRef('dreamingEvidence.agentId', '=', 'dreamingExclusions.agentId')
        .onRef('dreamingEvidence.sourceKind', '=', 'dreamingExclusions.sourceKind')
        .onRef('dreamingEvidence.sourceId', '=', 'dreamingExclusions.sourceId'),
    )
    .select('dreamingEvidence.sourceId')
    .where('dreamingExclusions.agentId', '=', agentId)
    .where('dreamingExclusions.requeueRequestedAt', 'is', null)
    .whereRef(stage, '<', 'chars')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The entries of these sources, by `kind:id`. */
export async function findEntries(
  db: Db,
  agentId: string,
  refs: readonly SourceRef[],
): Promise<ReadonlyMap<string, EvidenceEntry>> {
  const found = new Map<string, EvidenceEntry>()
  for (const { kind, ids } of listIdParts(refs)) {
    const rows = await tables(db)
      .selectFrom('dreamingEvidence')
      .select(columns)
      .where('agentId', '=', agentId)
      .where('sourceKind', '=', kind)
      .where('sourceId', 'in', ids)
      .execute()
    for (const row of rows) found.set(`${row.sourceKind}:${row.sourceId}`, row)
  }
  return found
}

/** The ids of the sources, in parts of one statement. The key of a row begins with the kind. */
function listIdParts(refs: readonly SourceRef[]) {
  return [...Map.groupBy(refs, ({ sourceKind }) => sourceKind)].flatMap(([kind, ofKind]) =>
    listParts(ofKind).map((part) => ({ kind, ids: part.map(({ sourceId }) => sourceId) })),
  )
}

export async function saveEntries(
  db: Db,
  agentId: string,
  entries: readonly EvidenceEntry[],
): Promise<void> {
  for (const part of listParts(entries.map((entry) => ({ ...entry, agentId }))))
    await tables(db)
      .insertInto('dreamingEvidence')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['agentId', 'sourceKind', 'sourceId']).doUpdateSet(({ ref }) => ({
          contentHash: ref('excluded.contentHash'),
          sourceTime: ref('excluded.sourceTime'),
          chars: ref('excluded.chars'),
          rulesChars: ref('excluded.rulesChars'),
          modelChars: ref('excluded.modelChars'),
          priority: ref('excluded.priority'),
          disposition: ref('excluded.disposition'),
          passId: ref('excluded.passId'),
        })),
      )
      .execute()
}

interface Sources {
  readonly sourceKind: string
  readonly ids: readonly string[]
}

const deleteQuery = compileOnce(
  (db, { agentId, sourceKind, ids }: Sources & { readonly agentId: string }) =>
    tables(db)
      .deleteFrom('dreamingEvidence')
      .where('agentId', '=', agentId)
      .where('sourceKind', '=', sourceKind as EvidenceEntry['sourceKind'])
      .where('sourceId', 'in', ids),
)

/** Deletes what is known about sources, so that they are read again if they come back. */
export async function deleteEntries(
  db: Db,
  agentId: string,
  { sourceKind, ids }: Sources,
): Promise<void> {
  for (const part of listParts(ids))
    await db.executeQuery(deleteQuery(db, { agentId, sourceKind, ids: part }).compile())
}

const noState = {
  scheduleMode: null,
  rulesFailures: 0,
  modelFailures: 0,
  lastFailureAt: null,
  lastPassId: null,
  lastPassAt: null,
  lastPassMode: null,
  memoryCursor: 0,
  transcriptCursor: '',
  artifactCursor: '',
  summaryCursor: '',
  noProgressAt: null,
  modelIdlePasses: 0,
} as const

export async function readState(db: Db, agentId: string): Promise<StateRow> {
  const row = await tables(db)
    .selectFrom('dreamingState')
    .selectAll()
    .where('agentId', '=', agentId)
    .executeTakeFirst()
  return row ? { ...row, memoryCursor: Number(row.memoryCursor) } : { ...noState, agentId }
}

export async function saveState(
  db: Db,
  agentId: string,
  set: Partial<Omit<StateRow, 'agentId'>>,
): Promise<void> {
  await tables(db)
    .insertInto('dreamingState')
    .values({ ...noState, agentId, ...set })
    .onConflict((conflict) => conflict.column('agentId').doUpdateSet(set))
    .execute()
}

/** A source is read again, before others. */
export async function requeueEntry(
  db: Db,
  { agentId, sourceKind, sourceId }: SourceRef & { readonly agentId: string },
): Promise<void> {
  await tables(db)
    .updateTable('dreamingEvidence')
    .set({ rulesChars: 0, modelChars: 0, priority: 2, disposition: 'new' })
    .where('agentId', '=', agentId)
    .where('sourceKind', '=', sourceKind)
    .where('sourceId', '=', sourceId)
    .execute()
}

/** Sources that the rules have read are read again in a later pass. */
export async function postponeEntries(
  db: Db,
  agentId: string,
  refs: readonly SourceRef[],
): Promise<void> {
  for (const { kind, ids } of listIdParts(refs))
    await tables(db)
      .updateTable('dreamingEvidence')
      .set({ rulesChars: 0, disposition: 'partial' })
      .where('agentId', '=', agentId)
      .where('sourceKind', '=', kind)
      .where('sourceId', 'in', ids)
      .execute()
}

/** The newest sources that passes know. */
export function listEntries(db: Db, agentId: string, limit: number): Promise<EvidenceEntry[]> {
  return tables(db)
    .selectFrom('dreamingEvidence')
    .select(columns)
    .where('agentId', '=', agentId)
    .orderBy('sourceTime', 'desc')
    .orderBy('sourceId')
    .limit(limit)
    .execute()
}

/** Sources of a kind that the rules have not read to the end. */
export async function countPendingOf(
  db: Db,
  agentId: string,
  kind: SourceRef['sourceKind'],
): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('dreamingEvidence')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('agentId', '=', agentId)
    .where('sourceKind', '=', kind)
    .whereRef('rulesChars', '<', 'chars')
    .executeTakeFirstOrThrow()
  return Number(count)
}
