import type { Db } from '../../kernel/db/database.ts'
import { DatabaseError } from '../../kernel/db/database-error.ts'
import { transaction } from '../../kernel/db/transaction.ts'

/** The server's words for values that it does not keep, such as a name too long for an index. */
const isOfValue = /^(22|54)/

interface Putting<Row> {
  put(db: Db, rows: readonly Row[]): Promise<void>
  /** Instead of one that the server does not keep. */
  leaveOut(db: Db, row: Row, why: string): Promise<void>
}

/** All at once, else one by one: what the server does not keep must not hide what comes after it. */
export async function putWhatGoes<Row>(
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
