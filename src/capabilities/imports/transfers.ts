import type { Transfers } from './needs.ts'
import { importRefusal } from './refusals.ts'

const maxTransfers = 4

/** Refuses a fifth transfer, because each may hold a mebibyte. */
export function createTransfers(): Transfers {
  let running = 0
  return {
    run: async (transfer) => {
      if (running >= maxTransfers) throw importRefusal('transcript_import_busy')
      running++
      try {
        return await transfer()
      } catch (error) {
        if (isDiskFull(error)) throw importRefusal('transcript_import_storage_full')
        throw error
      } finally {
        running--
      }
    },
  }
}

/** Codes of SQLite, PostgreSQL and the file system. */
const diskFullCodes = ['SQLITE_FULL', '53100', 'ENOSPC', 'EDQUOT']

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && diskFullCodes.includes(String(error.code))
}
