import type { DatabaseConnection } from 'kysely'
import { DatabaseBusy, DatabaseLost, toDatabaseError } from '../database-error.ts'

/** Called once for each new connection: its errors become those that every engine throws. */
export async function normalizeErrors(connection: DatabaseConnection): Promise<void> {
  const execute = connection.executeQuery.bind(connection)
  connection.executeQuery = async (query, options) => {
    try {
      return await execute(query, options)
    } catch (error) {
      throw toOwnError(error)
    }
  }
}

/** Nobody at the address, a server that is starting, or one that has no connection left. */
const unreachable =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P03|53300)$/
/** The library gives this no code. */
const connectTimeoutMessage = 'timeout exceeded when trying to connect'

/** Without a connection nothing was done: it may succeed later, unless the server refuses who asks. */
export function toConnectError(error: unknown): unknown {
  const { code = '', message = '' } = Object(error) as { code?: string; message?: string }
  if (!unreachable.test(code) && message !== connectTimeoutMessage) return toOwnError(error)
  return new DatabaseBusy(`The database server cannot be reached: ${code || message}.`, code)
}

/** What the library tells by its message alone, of the statement under way and of those behind it. */
const isEnded = /^Connection terminated|^Client .* is not queryable$/

function toOwnError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if ('code' in error) return toDatabaseError(error.message, String(error.code))
  return isEnded.test(error.message) ? new DatabaseLost(error.message, 'CONNECTION_ENDED') : error
}
