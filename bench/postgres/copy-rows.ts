import Sqlite from 'better-sqlite3'
import { Client } from 'pg'

/** The rows that recall reads. */
const recallTables = ['agents', 'memories', 'embedding_models', 'memory_vectors', 'memory_revision']
const batchSize = 500

/** Copies memories, vectors and further tables of a file to those of a server. */
export async function copyRows(
  file: string,
  url: string,
  furtherTables: readonly string[] = [],
): Promise<void> {
  const tables = [...recallTables, ...furtherTables]
  const sqlite = new Sqlite(file, { readonly: true })
  const client = new Client({ connectionString: url })
  await client.connect()
  const generated = await readGenerated(client)
  for (const table of tables) {
    await client.query(`delete from ${table}`)
    let batch: Row[] = []
    for (const row of sqlite.prepare<[], Row>(`select * from ${table}`).iterate()) {
      batch.push(pickWritten(row, generated))
      if (batch.length < batchSize) continue
      await insert(client, table, batch)
      batch = []
    }
    await insert(client, table, batch)
  }
  await client.query(
    `select setval('memory_vector_revisions', (select max(revision) from memory_vectors))`,
  )
  for (const table of tables) await resetIdentity(client, table)
  for (const table of tables) await client.query(`vacuum analyze ${table}`)
  await client.end()
  sqlite.close()
}

/** Later inserts continue after the copied positions. */
async function resetIdentity(client: Client, table: string): Promise<void> {
  const { rows } = await client.query<{ readonly name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = current_schema and table_name = $1 and is_identity = 'YES'`,
    [table],
  )
  for (const { name } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', '${name}'),
         (select coalesce(max(${name}), 1) from ${table}))`,
    )
}

type Row = Readonly<Record<string, unknown>>

/** Names of columns that the server computes. */
async function readGenerated(client: Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ readonly name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = current_schema and is_generated = 'ALWAYS'`,
  )
  return new Set(rows.map(({ name }) => name))
}

function pickWritten(row: Row, generated: ReadonlySet<string>): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !generated.has(name)))
}

async function insert(client: Client, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const places = rows.map(
    (_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`).join()})`,
  )
  const values = rows.flatMap((row) => columns.map((column) => row[column]))
  await client.query(
    `insert into ${table} (${columns.join()}) overriding system value values ${places.join()}`,
    values,
  )
}
