import Sqlite from 'better-sqlite3'

/** Returns the bytes of the vectors in a closed database file, indexes included. */
export function readVectorBytes(file: string): number {
  const sqlite = new Sqlite(file, { readonly: true })
  const taken = sqlite.prepare<[], number>(
    `select coalesce(sum(pgsize), 0) from dbstat where name in
       (select name from sqlite_master where tbl_name = 'memory_vectors')`,
  )
  const bytes = taken.pluck().get() ?? 0
  sqlite.close()
  return bytes
}
