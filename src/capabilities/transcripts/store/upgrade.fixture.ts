import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { transcriptsMigrations } from '../migrations.ts'

/** Repeats the migration step that schedules the cleaning of earlier rows. */
export async function repeatCleanupStep(db: Db): Promise<void> {
  const step = transcriptsMigrations.find(({ id }) => id.endsWith('transcript-cleanups'))
  await sql`drop table transcript_cleanups`.execute(db)
  const texts = step && 'sqlite' in step ? step.sqlite : []
  for (const text of texts) await sql.raw(text).execute(db)
}
