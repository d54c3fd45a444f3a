import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { CatalogueTable, Column, ForeignKey, Index } from '../catalogue.ts'

type Row = Readonly<Record<string, unknown>>

const inSchema = sql`n.nspname = current_schema()`

/** Reads the catalogue of the current schema. PostgreSQL stores no create statements. */
export async function readPostgresCatalogue(db: Db): Promise<readonly CatalogueTable[]> {
  const plain = db.withoutPlugins()
  const list = async (select: ReturnType<typeof sql>) =>
    (await select.execute(plain)).rows as readonly Row[]
  const tables = await list(
    sql`select c.relname as name, c.relkind::text as kind
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${inSchema} and c.relkind in ('r', 'p', 'v', 'm') order by c.relname`,
  )
  const columns = await list(
    sql`select c.relname as owner, a.attnum as cid, a.attname as name,
        format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
        pg_get_expr(d.adbin, d.adrelid) as "default",
        exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary
          and a.attnum = any (i.indkey)) as key
      from pg_attribute a join pg_class c on c.oid = a.attrelid
        join pg_namespace n on n.oid = c.relnamespace
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where ${inSchema} and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0
        and not a.attisdropped
      order by c.relname, a.attnum`,
  )
  const indexes = await list(
    sql`select t.relname as owner, c.relname as name, i.indisunique as unique,
        i.indisprimary as key, i.indpred is not null as partial, k.position, k.attnum,
        a.attname as "column"
      from pg_index i join pg_class c on c.oid = i.indexrelid
        join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
        cross join lateral unnest(i.indkey) with ordinality as k (attnum, position)
        left join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
      where ${inSchema} order by t.relname, c.relname, k.position`,
  )
  const keys = await list(
    sql`select t.relname as owner, o.oid::bigint::text as id, f.relname as target, k.position,
        a.attname as source, b.attname as other, o.confupdtype::text as updates,
        o.confdeltype::text as deletes, o.confmatchtype::text as matches
      from pg_constraint o join pg_class t on t.oid = o.conrelid
        join pg_class f on f.oid = o.confrelid join pg_namespace n on n.oid = t.relnamespace
        cross join lateral unnest(o.conkey, o.confkey) with ordinality
          as k (own, their, position)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.own
        join pg_attribute b on b.attrelid = f.oid and b.attnum = k.their
      where o.contype = 'f' and ${inSchema} order by t.relname, o.oid, k.position`,
  )
  return tables.map(({ name, kind }) => {
    const isOwn = ({ owner }: Row) => owner === name
    return {
      name: String(name),
      kind: kind === 'v' || kind === 'm' ? 'view' : 'table',
      isVirtual: false,
      sql: null,
      columns: columns.filter(isOwn).map(toColumn),
      indexes: toIndexes(indexes.filter(isOwn)),
      foreignKeys: toForeignKeys(keys.filter(isOwn)),
    }
  })
}

function toColumn(row: Row, index: number): Column {
  return {
    cid: index,
    name: String(row['name']),
    type: String(row['type']),
    notNull: row['required'] === true,
    defaultValue: row['default'] == null ? null : String(row['default']),
    primaryKey: row['key'] === true,
  }
}

function toIndexes(rows: readonly Row[]): readonly Index[] {
  return [...Map.groupBy(rows, ({ name }) => String(name))].map(([name, parts]) => ({
    name,
    unique: parts[0]?.['unique'] === true,
    origin: parts[0]?.['key'] === true ? 'pk' : 'c',
    partial: parts[0]?.['partial'] === true,
    columns: parts.map(({ position, attnum, column }) => ({
      seqno: Number(position) - 1,
      // An expression is no column.
      cid: Number(attnum) === 0 ? null : Number(attnum) - 1,
      name: column == null ? null : String(column),
    })),
  }))
}

const actions = new Map([
  ['a', 'NO ACTION'],
  ['r', 'RESTRICT'],
  ['c', 'CASCADE'],
  ['n', 'SET NULL'],
  ['d', 'SET DEFAULT'],
])

function toForeignKeys(rows: readonly Row[]): readonly ForeignKey[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((parts, id) =>
    parts.map((part, seq) => ({
      id,
      seq,
      table: String(part['target']),
      from: String(part['source']),
      to: String(part['other']),
      onUpdate: actions.get(String(part['updates'])) ?? 'NO ACTION',
      onDelete: actions.get(String(part['deletes'])) ?? 'NO ACTION',
      match: part['matches'] === 'f' ? 'FULL' : 'NONE',
    })),
  )
}
