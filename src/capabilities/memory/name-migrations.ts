import type { Migration } from '../../kernel/db/migrations.ts'

const insertText = 'insert into memories_fts (rowid, content) values (new.position, new.content);'
const deleteText = `insert into memories_fts (memories_fts, rowid, content)
  values ('delete', old.position, old.content);`

/** The new name of each trigger of a text index, the old one, and its statement. */
const triggers = [
  {
    name: 'memories_fts_ai',
    former: 'memories_word_in',
    statement: `after insert on memories when new.deleted_at is null begin ${insertText} end`,
  },
  {
    name: 'memories_fts_ad',
    former: 'memories_word_out',
    statement: `after delete on memories when old.deleted_at is null begin ${deleteText} end`,
  },
  {
    name: 'memories_fts_au_deleted',
    former: 'memories_word_dies',
    statement: `after update of deleted_at on memories
      when old.deleted_at is null and new.deleted_at is not null begin ${deleteText} end`,
  },
  {
    name: 'memories_fts_au_restored',
    former: 'memories_word_lives',
    statement: `after update of deleted_at on memories
      when old.deleted_at is not null and new.deleted_at is null begin ${insertText} end`,
  },
  {
    name: 'memories_fts_au_content',
    former: 'memories_word_changes',
    statement: `after update of content on memories
      when old.deleted_at is null and new.deleted_at is null and new.content <> old.content
      begin ${deleteText} ${insertText} end`,
  },
  {
    name: 'memory_hints_fts_ai',
    former: 'memory_hints_word_in',
    statement: `after insert on memory_hints begin
      insert into memory_hints_fts (rowid, hint) values (new.position, new.hint); end`,
  },
  {
    name: 'memory_hints_fts_ad',
    former: 'memory_hints_word_out',
    statement: `after delete on memory_hints begin
      insert into memory_hints_fts (memory_hints_fts, rowid, hint)
        values ('delete', old.position, old.hint); end`,
  },
]

const renameColumn = 'alter table memories rename column standing to decay_rank'
const suffixes = ['', '_open', '_of_project']
const condition = `deleted_at is null and superseded_by is null and pinned = 0
  and coalesce(type, '') <> 'document_chunk'`

/** Gives the column of the decayed importance, its indexes and the triggers of text their standard names. */
export const nameMigration: Migration = {
  id: '20261128T1615-memory-decay-rank',
  // SQLite cannot rename an index.
  sqlite: [
    ...suffixes.map((suffix) => `drop index memories_standing${suffix}`),
    renameColumn,
    `create index memories_decay_rank on memories (agent_id, decay_rank, id) where ${condition}`,
    `create index memories_decay_rank_open on memories (decay_rank, id)
       where ${condition} and visibility = 'global'`,
    `create index memories_decay_rank_of_project on memories (project, decay_rank, id)
       where ${condition} and project is not null`,
    ...triggers.flatMap(({ name, former, statement }) => [
      `drop trigger ${former}`,
      `create trigger ${name} ${statement}`,
    ]),
  ],
  postgres: [
    renameColumn,
    ...suffixes.map(
      (suffix) => `alter index memories_standing${suffix} rename to memories_decay_rank${suffix}`,
    ),
  ],
}
