import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { DatabaseBusy, DatabaseError, DatabaseLost } from '../../../kernel/db/database-error.ts'

/** The first version with half-precision vectors and iterative index scans. */
const minVersion = { major: 0, minor: 8, name: '0.8' }

const install = `install pgvector ${minVersion.name} or later on the server`
const update = 'run "alter extension vector update" in the database'

/** Creates the extension if allowed; returns undefined if it exists, else the problem with its remedy. */
export async function openExtension(db: Db): Promise<string | undefined> {
  const { made, available } = await readVersions(db)
  if (available === undefined) return `the server has no pgvector: ${install}`
  const isOutdated = isOlder(available)
  if (made !== undefined && isOlder(made))
    return `pgvector is ${made}: ${isOutdated ? `${install}, and then ${update}` : update}`
  if (made !== undefined) return undefined
  return isOutdated ? `pgvector is ${available}: ${install}` : createExtension(db)
}

async function createExtension(db: Db): Promise<string | undefined> {
  try {
    await sql`create extension if not exists vector`.execute(db)
    return undefined
  } catch (error) {
    if (!isServerError(error)) throw error
    return `${error.message}: a privileged user must run "create extension vector" in the database`
  }
}

/** Errors of the statement, not of the connection. */
function isServerError(error: unknown): error is DatabaseError {
  return (
    error instanceof DatabaseError &&
    !(error instanceof DatabaseLost || error instanceof DatabaseBusy)
  )
}

interface Versions {
  /** The version in this database. */
  readonly made: string | undefined
  /** The version available on the server. */
  readonly available: string | undefined
}

async function readVersions(db: Db): Promise<Versions> {
  const { rows } = await sql<{ made: string | null; available: string | null }>`
    select (select extversion from pg_extension where extname = 'vector') as made,
      (select default_version from pg_available_extensions where name = 'vector') as available
    `.execute(db)
  const [row] = rows
  return { made: row?.made ?? undefined, available: row?.available ?? undefined }
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === minVersion.major && minor < minVersion.minor
}
