import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { CatalogueTable, Column, ForeignKey, Index } from '../catalogue.ts'

type Row = Readonly<Record<string, string | number | null>>

const isListed = sql`m.type in ('table', 'view') and m.name not like 'sqlite\\_%' escape '\\'`

/** Reads the catalogue from the schema table and its pragmas. */
export async function readSqliteCatalogue(db: Db): Promise<readonly CatalogueTable[]> {
  const plain = db.withoutPlugins()
  const list = async (select: ReturnType<typeof sql>) =>
    (await select.execute(plain)).rows as readonly Row[]
  const tables = await list(
    sql`select name, type, sql from sqlite_schema m where ${isListed} order by name`,
  )
  const columns = await list(
    sql`select m.name as owner, p.cid, p.name, p.type, p."notnull" as required,
        p.dflt_value as preset, p.pk from sqlite_schema m, pragma_table_info(m.name) p
      where ${isListed} order by m.name, p.cid`,
  )
  const indexes = await list(
    sql`select m.name as owner, l.name, l."unique", l.origin, l.partial, i.seqno, i.cid,
        i.name as "column"
      from sqlite_schema m, pragma_index_list(m.name) l, pragma_index_info(l.name) i
      where m.type = 'table' and ${isListed} order by m.name, l.name, i.seqno`,
  )
  const keys = await list(
    sql`select m.name as owner, f.id, f.seq, f."table", f."from", f."to",
        f.on_update as updates, f.on_delete as deletes, f."match" from sqlite_schema m, pragma_foreign_key_list(m.name) f
      where m.type = 'table' and ${isListed} order by m.name, f.id, f.seq`,
  )
  return tables.map(({ name, type, sql: statement }) => {
    const isOwn = (row: Row) => row['owner'] === name
    return {
      name: String(name),
      kind: type === 'view' ? 'view' : 'table',
      isVirtual: /^create virtual/i.test(String(statement)),
      sql: statement === null ? null : String(statement),
      columns: columns.filter(isOwn).map(toColumn),
      indexes: toIndexes(indexes.filter(isOwn)),
      foreignKeys: keys.filter(isOwn).map(toForeignKey),
    }
  })
}

function toColumn(row: Row): Column {
  return {
    cid: Number(row['cid']),
    name: String(row['name']),
    type: String(row['type']),
    notNull: row['required'] === 1,
    defaultValue: row['preset'] == null ? null : String(row['preset']),
    primaryKey: Number(row['pk']) > 0,
  }
}

function toIndexes(rows: readonly Row[]): readonly Index[] {
  return [...Map.groupBy(rows, ({ name }) => String(name))].map(([name, parts]) => ({
    name,
    unique: parts[0]?.['unique'] === 1,
    origin: String(parts[0]?.['origin']),
    partial: parts[0]?.['partial'] === 1,
    columns: parts.map((part) => ({
      seqno: Number(part['seqno']),
      cid: Number(part['cid']),
      // An expression has no name.
      name: part['column'] == null ? null : String(part['column']),
    })),
  }))
}

function toForeignKey(row: Row): ForeignKey {
  return {
    id: Number(row['id']),
    seq: Number(row['seq']),
    table: String(row['table']),
    from: String(row['from']),
    to: row['to'] == null ? null : String(row['to']),
    onUpdate: String(row['updates']),
    onDelete: String(row['deletes']),
    match: String(row['match']),
  }
}
