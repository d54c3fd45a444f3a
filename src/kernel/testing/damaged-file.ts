import { open } from 'node:fs/promises'
import { sql } from 'kysely'
import { openSqlite } from '../db/sqlite/open-sqlite.ts'

/** Writes a SQLite file with two tables: `sound`, and `torn`, which has a damaged page. */
export async function writeDamaged(file: string): Promise<void> {
  const { db, close } = await openSqlite({ file, synchronous: 'normal' })
  await sql`create table sound (words text)`.execute(db)
  await sql`create table torn (words text)`.execute(db)
  const words = 'x'.repeat(4000)
  for (let row = 0; row < 5; row += 1) await sql`insert into torn values (${words})`.execute(db)
  const leaf = sql<{ pageno: number }>`
    select pageno from dbstat where name = 'torn' and pagetype = 'leaf' limit 1`
  const [{ pageno } = { pageno: 0 }] = (await leaf.execute(db)).rows
  await close()
  const handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(64, 0xff), 0, 64, (pageno - 1) * 4096)
  await handle.close()
}
