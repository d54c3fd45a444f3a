import type { Db } from '../../kernel/db/database.ts'
import { DatabaseError } from '../../kernel/db/database-error.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { toVectorRow } from '../feed.ts'
import type { WordPieceTokens } from '../tokens/token-similarity.ts'
import { toIndexedRows } from './indexed-row.ts'
import { replaceRows } from './replace-rows.ts'
import { type Feeds, readMemories, readRevisions, readSettled, readVectors } from './store/feeds.ts'
import type { State } from './store/rows.ts'
import { lockIndex, readState, resetIndex, updateState } from './store/state.ts'
import { deleteAllVectors, deleteVectorsOf, replaceVectors } from './store/vectors.ts'

/** Rows per transaction, in which other writers wait. */
const pageSize = 200

export interface Index {
  readonly db: Db
  readonly feeds: Feeds
  /** The fingerprint of this analyzer. */
  readonly analyzer: number
  readonly tokenize: WordPieceTokens['tokenize']
  /** Whether the vector table exists. */
  readonly hasVectors: boolean
  /** For the log. */
  readonly onWarning: (message: string) => void
}

/** Another daemon on this database uses another analyzer. */
export class AnalyzerMismatch extends Error {
  override readonly name = 'OtherRules'
  override readonly message =
    'Another daemon on this database uses another text analyzer. Run the same version of all daemons.'
}

/** Rebuilds the index if another analyzer made it. */
export async function initialize(index: Index): Promise<void> {
  await transaction(index.db, async (db) => {
    await lockIndex(db)
    const state = await readState(db)
    if (state.rules === index.analyzer) return
    const { swept } = await readRevisions(db, index.feeds)
    await reset({ ...index, db }, { isPurgeMissed: hasMissedPurges(state, swept), swept })
  })
}

/** Purges before this revision are no longer reported. */
function hasMissedPurges(state: State, swept: number): boolean {
  return Math.max(state.seenMemory, state.swept) < swept
}

interface ResetOptions {
  readonly isPurgeMissed: boolean
  readonly swept: number
}

/** Vectors stay, unless a purge may have been missed. */
async function reset(
  { db, analyzer, hasVectors }: Index,
  { isPurgeMissed, swept }: ResetOptions,
): Promise<void> {
  if (isPurgeMissed && hasVectors) await deleteAllVectors(db)
  await resetIndex(db, { rules: analyzer, swept })
}

/**
 * Reads the next page of unindexed rows, written by any daemon; false when there are no more.
 * @throws {AnalyzerMismatch}
 */
export async function readPage(index: Index): Promise<boolean> {
  const settled = index.hasVectors ? await readSettled(index.db, index.feeds) : 0
  return transaction(index.db, async (db) => {
    await lockIndex(db)
    const state = await readState(db)
    if (state.rules !== index.analyzer) throw new AnalyzerMismatch()
    const isMore = await readMemoryPage({ ...index, db }, state)
    return isMore || (await readVectorPage({ ...index, db }, state, settled))
  })
}

async function readMemoryPage(index: Index, state: State): Promise<boolean> {
  const { db, feeds, tokenize } = index
  const { newest, swept } = await readRevisions(db, feeds)
  if (hasMissedPurges(state, swept)) {
    await reset(index, { isPurgeMissed: true, swept })
    return true
  }
  const rows = await readMemories(db, feeds, { after: state.seenMemory, limit: pageSize })
  const changedRows = await toIndexedRows(rows, tokenize)
  await insertSkippingInvalid(db, changedRows, {
    insert: replaceRows,
    onRejected: async (db, { id, revision }, reason) => {
      index.onWarning(`memory ${id} skipped by the search index: ${reason}`)
      await replaceRows(db, [{ id, revision }])
    },
  })
  if (index.hasVectors)
    await deleteVectorsOf(
      db,
      changedRows.flatMap(({ id, content }) => (content ? [] : [id])),
    )
  const last = changedRows.at(-1)?.revision ?? 0
  const isMore = rows.length === pageSize
  await updateState(db, { seenMemory: isMore ? last : Math.max(newest, last, swept) })
  return isMore
}

async function readVectorPage(
  { db, feeds, onWarning }: Index,
  { seenVector }: State,
  settled: number,
): Promise<boolean> {
  if (seenVector >= settled) return false
  const rows = await readVectors(db, feeds, { after: seenVector, upTo: settled, limit: pageSize })
  const changedRows = rows.map(toVectorRow)
  await insertSkippingInvalid(
    db,
    changedRows.map(({ revision, ...vector }) => vector),
    {
      insert: replaceVectors,
      onRejected: async (_, { memoryId }, reason) =>
        onWarning(`vector of memory ${memoryId} skipped by the search index: ${reason}`),
    },
  )
  const last = changedRows.at(-1)?.revision ?? settled
  const isMore = rows.length === pageSize
  await updateState(db, { seenVector: isMore ? last : settled })
  return isMore
}

/** SQLSTATE classes of invalid values, such as a name too long for an index. */
const isInvalidValue = /^(22|54)/

interface InsertOptions<Row> {
  insert(db: Db, rows: readonly Row[]): Promise<void>
  /** Called instead for a rejected row. */
  onRejected(db: Db, row: Row, reason: string): Promise<void>
}

/** Inserts all rows at once, else one by one: a rejected row must not block later ones. */
async function insertSkippingInvalid<Row>(
  db: Db,
  rows: readonly Row[],
  { insert, onRejected }: InsertOptions<Row>,
): Promise<void> {
  try {
    await transaction(db, (db) => insert(db, rows))
  } catch (error) {
    if (!(error instanceof DatabaseError && isInvalidValue.test(error.code))) throw error
    const [only, ...others] = rows
    if (only && others.length === 0) await onRejected(db, only, error.message)
    else for (const row of rows) await insertSkippingInvalid(db, [row], { insert, onRejected })
  }
}
