import type { DatabaseConnection } from 'kysely'
import { DatabaseBusy, DatabaseLost, toDatabaseError } from '../database-error.ts'

/** Maps the errors of a new connection to those of all engines. */
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

/** No listener, a starting server, or no free connection. */
const unreachable =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P03|53300)$/
/** The library sets no code for this error. */
const connectTimeoutMessage = 'timeout exceeded when trying to connect'

/** A failed connection did nothing, so a retry may succeed, except after failed authentication. */
export function toConnectError(error: unknown): unknown {
  const { code = '', message = '' } = Object(error) as { code?: string; message?: string }
  if (!unreachable.test(code) && message !== connectTimeoutMessage) return toOwnError(error)
  return new DatabaseBusy(`The database server cannot be reached: ${code || message}.`, code)
}

/** Errors that the library distinguishes by message only. */
const isEnded = /^Connection terminated|^Client .* is not queryable$/

function toOwnError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if ('code' in error) return toDatabaseError(error.message, String(error.code))
  return isEnded.test(error.message) ? new DatabaseLost(error.message, 'CONNECTION_ENDED') : error
}
