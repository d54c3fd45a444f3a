import { sql } from 'kysely'
import type { Db } from './database.ts'
import { serveReadTask } from './sqlite/serve-read-task.ts'

interface NotesTask {
  readonly fails: boolean
}

/** Reads the number of notes, then as many of them. */
export async function readNotes(db: Db, { fails }: NotesTask) {
  const notes = db.withTables<{ notes: { id: string; bodyText: string | null } }>()
  if (fails) await sql`select nothing from notes`.execute(db)
  const { count } = await notes
    .selectFrom('notes')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await notes
    .selectFrom('notes')
    .select(['id', 'bodyText'])
    .orderBy('id')
    .limit(Number(count))
    .execute()
  return { count: Number(count), rows }
}

export const serve = serveReadTask(readNotes)
