import { sql } from 'kysely'
import { migrate } from './migrations.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

// Runs as a separate process, which is killed inside the second migration step.
const [file = ''] = process.argv.slice(2)
const database = await openSqlite({ file, synchronous: 'normal' })
const first = { id: '1-first', sqlite: ['create table first (id text)'], postgres: [] }
const second = {
  id: '2-second',
  up: async (db: typeof database.db) => {
    await sql`create table second (id text)`.execute(db)
    await sql`insert into first values ('from the second step')`.execute(db)
    process.kill(process.pid, 'SIGKILL')
  },
}
await migrate(database, [first, second], new Date(0))
