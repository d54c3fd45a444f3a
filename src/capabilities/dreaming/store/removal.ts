import type { EvidenceChange } from '../../../kernel/capability/capability.ts'
import { deleteAgentRows } from '../../../kernel/db/agent-rows.ts'
import { compileOnce, compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { listParts } from '../../../kernel/db/insert-rows.ts'
import { deleteEntries } from './evidence.ts'
import { tables } from './rows.ts'

const agentTables = [
  'dreamingState',
  'dreamingPasses',
  'dreamingOperations',
  'dreamingToolCalls',
  'dreamingAttention',
  'dreamingExclusions',
  'dreamingEvidence',
  'dreamingFacts',
  'dreamingRefusals',
  'dreamingPages',
] as const

export async function deleteAgent(db: Db, agentId: string): Promise<void> {
  await tables(db)
    .deleteFrom('dreamingCitations')
    .where('passId', 'in', (query) =>
      query
        .selectFrom('dreamingOperations')
        .select('dreamingOperations.passId')
        .where('dreamingOperations.agentId', '=', agentId),
    )
    .execute()
  await deleteAgentRows(db, agentTables, agentId)
}

type Ids = readonly string[]

type FactState = 'live' | 'lost'

const markFactsQuery = compileOnce(
  (db, { agentId, kind, ids, state }: EvidenceChange & { readonly state: FactState }) =>
    tables(db)
      .updateTable('dreamingFacts')
      .set({ state })
      .where('sourceId', 'in', ids)
      .where('sourceKind', '=', kind)
      .where('agentId', '=', agentId),
)

/** Facts of forgotten sources are skipped until the sources are recovered. */
export async function markFacts(
  db: Db,
  { agentId, kind, ids }: EvidenceChange,
  state: FactState,
): Promise<void> {
  for (const part of listParts(ids))
    await db.executeQuery(markFactsQuery(db, { agentId, kind, ids: part, state }).compile())
}

interface Position {
  readonly passId: string
  readonly position: number
}

const selectCiting = compileSelectOnce((db, { agentId, kind, ids }: EvidenceChange) =>
  tables(db)
    .selectFrom('dreamingCitations')
    .select(['passId', 'position'])
    .distinct()
    .where('sourceId', 'in', ids)
    .where('sourceKind', '=', kind)
    .where('agentId', '=', agentId),
)

export async function listCiting(
  db: Db,
  { agentId, kind, ids }: EvidenceChange,
): Promise<Position[]> {
  const positions: Position[] = []
  for (const part of listParts(ids))
    positions.push(...(await selectCiting(db, { agentId, kind, ids: part })))
  return positions
}

/** Planned operations of forgotten sources cannot be applied; recovered ones can. */
export async function markPlanned(
  db: Db,
  { passId, position }: Position,
  change: { readonly from: 'planned' | 'refused'; readonly gone: string },
): Promise<void> {
  const isGone = change.from === 'planned'
  await tables(db)
    .updateTable('dreamingOperations')
    .set({ state: isGone ? 'refused' : 'planned', error: isGone ? change.gone : null })
    .where('passId', '=', passId)
    .where('position', '=', position)
    .where('state', '=', change.from)
    .$if(!isGone, (query) => query.where('error', '=', change.gone))
    .execute()
}

/** Removes every word of an operation. Its audit row belongs to the graph. */
export async function eraseOperation(db: Db, { passId, position }: Position): Promise<void> {
  await tables(db)
    .updateTable('dreamingOperations')
    .set({ payload: '{}', evidence: '[]', subject: '', reason: '', facts: '[]' })
    .where('passId', '=', passId)
    .where('position', '=', position)
    .execute()
  await tables(db)
    .deleteFrom('dreamingCitations')
    .where('passId', '=', passId)
    .where('position', '=', position)
    .execute()
}

/** What is known about sources: facts, progress, exclusions and attention. */
export async function deleteSources(db: Db, { agentId, kind, ids }: EvidenceChange): Promise<void> {
  await deleteEntries(db, agentId, { sourceKind: kind, ids })
  await deleteFrom(db, { agentId, kind, ids })
  const refs = ids.map((id) => `${kind}:${id}`)
  for (const part of listParts(refs))
    await tables(db)
      .deleteFrom('dreamingAttention')
      .where('agentId', '=', agentId)
      .where('subjectRef', 'in', part)
      .execute()
}

async function deleteFrom(db: Db, { agentId, kind, ids }: EvidenceChange): Promise<void> {
  for (const part of listParts(ids as Ids)) {
    for (const table of ['dreamingFacts', 'dreamingExclusions'] as const)
      await tables(db)
        .deleteFrom(table)
        .where('sourceId', 'in', part)
        .where('sourceKind', '=', kind)
        .where('agentId', '=', agentId)
        .execute()
  }
}

/** Attention that shows words of these sources. */
export async function deleteQuotingAttention(
  db: Db,
  { agentId, kind, ids }: EvidenceChange,
): Promise<void> {
  for (const id of ids)
    await tables(db)
      .deleteFrom('dreamingAttention')
      .where('agentId', '=', agentId)
      .where('kind', '=', 'contested_claim')
      .where('details', 'like', `%"${kind}:${id}"%`)
      .execute()
}

/** Traces of passes that read these sources: their outputs may repeat words. */
export async function deleteTraces(db: Db, agentId: string, ids: Ids): Promise<void> {
  for (const id of ids)
    await tables(db)
      .deleteFrom('dreamingToolCalls')
      .where('agentId', '=', agentId)
      .where(({ or, eb }) => or([eb('input', 'like', `%${id}%`), eb('output', 'like', `%${id}%`)]))
      .execute()
}
