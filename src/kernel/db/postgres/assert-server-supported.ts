import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { DatabaseError } from '../database-error.ts'

interface ServerProperties {
  readonly encoding: string
  readonly schema: string | null
  readonly mayCreate: boolean | null
  readonly role: string
}

/** Before anything is made in a database in which not all would go. @throws {DatabaseError} */
export async function assertServerSupported(db: Db): Promise<void> {
  const { rows } =
    await sql<ServerProperties>`select current_setting('server_encoding') as encoding,
    current_schema() as schema, current_user as role,
    has_schema_privilege(current_schema(), 'create') as may_create`.execute(db)
  const [{ encoding = '', schema = null, mayCreate = null, role = '' } = {}] = rows
  if (encoding !== 'UTF8')
    throw new DatabaseError(
      `The database is in ${encoding}, and memories are in any script: make it with encoding 'UTF8' and template template0.`,
      'WRONG_ENCODING',
    )
  if (mayCreate !== true)
    throw new DatabaseError(
      `The role ${role} may make no tables: let it own the database, or grant usage, create on schema ${schema ?? 'public'} to it.`,
      '42501',
    )
}
