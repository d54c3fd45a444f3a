import type { Db } from '../../kernel/db/database.ts'
import { DatabaseError } from '../../kernel/db/database-error.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { toVectorRow } from '../feed.ts'
import type { WordPieceTokens } from '../tokens/word-pieces.ts'
import { toIndexedRows } from './indexed-row.ts'
import { putRows } from './replace-rows.ts'
import { type Feeds, readMemories, readRevisions, readSettled, readVectors } from './store/feeds.ts'
import type { State } from './store/rows.ts'
import { awaitTurn, readState, startOver, updateState } from './store/state.ts'
import { deleteAllVectors, deleteVectorsOf, putVectors } from './store/vectors.ts'

/** What is read and written while others wait. */
const page = 200

export interface Index {
  readonly db: Db
  readonly feeds: Feeds
  /** By which rules texts are read here. */
  readonly rules: number
  readonly readPieces: WordPieceTokens['tokenize']
  /** Whether there is a place for vectors. */
  readonly hasVectors: boolean
  /** For the log: something that is done without. */
  readonly onTrouble: (message: string) => void
}

/** Other daemons on the same database read texts otherwise. */
export class OtherRules extends Error {
  override readonly name = 'OtherRules'
  override readonly message = 'Another daemon on this database reads texts by other rules.'
}

/** What was read by other rules is read anew, by these. */
export async function begin(index: Index): Promise<void> {
  await transaction(index.db, async (db) => {
    await awaitTurn(db)
    const state = await readState(db)
    if (state.rules === index.rules) return
    const { swept } = await readRevisions(db, index.feeds)
    await beginAnew({ ...index, db }, { missed: hasMissed(state, swept), swept })
  })
}

/** Of some that are gone nobody tells any more. */
function hasMissed(state: State, swept: number): boolean {
  return Math.max(state.seenMemory, state.swept) < swept
}

interface Beginning {
  readonly missed: boolean
  readonly swept: number
}

/** Vectors are what they were, unless some may be of what is gone. */
async function beginAnew(
  { db, rules, hasVectors }: Index,
  { missed, swept }: Beginning,
): Promise<void> {
  if (missed && hasVectors) await deleteAllVectors(db)
  await startOver(db, { rules, swept })
}

/**
 * Reads the next page of what is not in the index, whichever daemon has written it; false when there
 * was no more. @throws {OtherRules}
 */
export async function readPage(index: Index): Promise<boolean> {
  const settled = index.hasVectors ? await readSettled(index.db, index.feeds) : 0
  return transaction(index.db, async (db) => {
    await awaitTurn(db)
    const state = await readState(db)
    if (state.rules !== index.rules) throw new OtherRules()
    const isMore = await readMemoryPage({ ...index, db }, state)
    return isMore || (await readVectorPage({ ...index, db }, state, settled))
  })
}

async function readMemoryPage(index: Index, state: State): Promise<boolean> {
  const { db, feeds, readPieces } = index
  const { newest, swept } = await readRevisions(db, feeds)
  if (hasMissed(state, swept)) {
    await beginAnew(index, { missed: true, swept })
    return true
  }
  const rows = await readMemories(db, feeds, { after: state.seenMemory, limit: page })
  const told = await toIndexedRows(rows, readPieces)
  await putWhatGoes(db, told, {
    put: putRows,
    leaveOut: async (db, { id, revision }, why) => {
      index.onTrouble(`the memory ${id} is not searched: ${why}`)
      await putRows(db, [{ id, revision }])
    },
  })
  if (index.hasVectors)
    await deleteVectorsOf(
      db,
      told.flatMap(({ id, kept }) => (kept ? [] : [id])),
    )
  const last = told.at(-1)?.revision ?? 0
  const isMore = rows.length === page
  await updateState(db, { seenMemory: isMore ? last : Math.max(newest, last, swept) })
  return isMore
}

async function readVectorPage(
  { db, feeds, onTrouble }: Index,
  { seenVector }: State,
  settled: number,
): Promise<boolean> {
  if (seenVector >= settled) return false
  const rows = await readVectors(db, feeds, { after: seenVector, upTo: settled, limit: page })
  const told = rows.map(toVectorRow)
  await putWhatGoes(
    db,
    told.map(({ revision, ...vector }) => vector),
    {
      put: putVectors,
      leaveOut: async (_, { memoryId }, why) =>
        onTrouble(`a vector of the memory ${memoryId} is not searched: ${why}`),
    },
  )
  const last = told.at(-1)?.revision ?? settled
  const isMore = rows.length === page
  await updateState(db, { seenVector: isMore ? last : settled })
  return isMore
}

/** The server's words for values that it does not keep, such as a name too long for an index. */
const isOfValue = /^(22|54)/

interface Putting<Row> {
  put(db: Db, rows: readonly Row[]): Promise<void>
  /** Instead of one that the server does not keep. */
  leaveOut(db: Db, row: Row, why: string): Promise<void>
}

/** All at once, else one by one: what the server does not keep must not hide what comes after it. */
async function putWhatGoes<Row>(
  db: Db,
  rows: readonly Row[],
  { put, leaveOut }: Putting<Row>,
): Promise<void> {
  try {
    await transaction(db, (db) => put(db, rows))
  } catch (error) {
    if (!(error instanceof DatabaseError && isOfValue.test(error.code))) throw error
    const [only, ...others] = rows
    if (only && others.length === 0) await leaveOut(db, only, error.message)
    else for (const row of rows) await putWhatGoes(db, [row], { put, leaveOut })
  }
}
