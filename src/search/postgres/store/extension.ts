import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { DatabaseBusy, DatabaseError, DatabaseLost } from '../../../kernel/db/database-error.ts'

/** The first that compares half numbers, and searches on when a filter lets too few through. */
const minVersion = { major: 0, minor: 8, name: '0.8' }

const install = `install pgvector ${minVersion.name} or later on the server`
const update = 'say "alter extension vector update" in the database'

/** Makes the extension where that is allowed: undefined when it is there, else what is amiss and mends it. */
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
    return `${error.message}: let who may say "create extension vector" in the database`
  }
}

/** Of what is asked for, not of the way to it. */
function isServerError(error: unknown): error is DatabaseError {
  return (
    error instanceof DatabaseError &&
    !(error instanceof DatabaseLost || error instanceof DatabaseBusy)
  )
}

interface Versions {
  /** In this database. */
  readonly made: string | undefined
  /** On the server, to be made. */
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
