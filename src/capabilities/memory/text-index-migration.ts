import type { Migration } from '../../kernel/db/migrations.ts'

const insertText = 'insert into memories_fts (rowid, content) values (new.position, new.content);'
const deleteText = `insert into memories_fts (memories_fts, rowid, content)
  values ('delete', old.position, old.content);`

const names = ['ai', 'ad', 'au_content', 'au_deleted', 'au_restored']

/**
 * The text index of a file holds every stored memory, as that of a server does. It looks up each word
 * of a row that it loses in each of its segments, which takes longer than all else in a deletion.
 */
export const textIndexMigration: Migration = {
  id: '20261129T1210-memory-text-of-stored-rows',
  sqlite: [
    ...names.map((name) => `drop trigger if exists memories_fts_${name}`),
    'drop view if exists memories_text',
    'create view memories_text as select position, content from memories',
    `insert into memories_fts (rowid, content)
       select position, content from memories where deleted_at is not null
         and position not in (select id from memories_fts_docsize)`,
    `create trigger memories_fts_ai after insert on memories begin ${insertText} end`,
    `create trigger memories_fts_ad after delete on memories begin ${deleteText} end`,
    `create trigger memories_fts_au_content after update of content on memories
       when new.content <> old.content begin ${deleteText} ${insertText} end`,
  ],
  postgres: [],
}
