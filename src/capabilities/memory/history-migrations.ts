import type { Migration } from '../../kernel/db/migrations.ts'

const table = 'memory_history'
const names = `position, id, memory_id, event, old_content, new_content, changed_by, actor_type,
  reason, metadata, created_at, session_id, request_id`

/** A file cannot drop a foreign key of a table, so the table is copied. */
const withoutKeyOnFile = [
  `create table memory_history_next (
    position integer primary key autoincrement,
    id text not null,
    memory_id text not null,
    event text not null,
    old_content text,
    new_content text,
    changed_by text not null,
    actor_type text not null,
    reason text,
    metadata text,
    created_at text not null,
    session_id text,
    request_id text
  )`,
  `insert into memory_history_next (${names}) select ${names} from ${table}`,
  `drop table ${table}`,
  `alter table memory_history_next rename to ${table}`,
  `create index memory_history_of on ${table} (memory_id, position)`,
  `create index memory_history_by_time on ${table} (created_at, memory_id, event)`,
  `create trigger memory_history_ad after delete on memories begin
     delete from ${table} where memory_id = old.id;
   end`,
]

/** The lock is that of a foreign key: a memory is not purged between the check and the commit. */
const withoutKeyOnServer = [
  `alter table ${table} drop constraint memory_history_memory_id_fkey`,
  `create function check_memory_history() returns trigger language plpgsql as $$
   begin
     perform 1 from memories where id = new.memory_id for key share;
     if found then return new; end if;
     return null;
   end $$`,
  `create trigger memory_history_bi before insert on ${table} for each row
     when (new.memory_id <> 'system') execute function check_memory_history()`,
  `create function delete_memory_history() returns trigger language plpgsql as $$
   begin
     delete from ${table} where memory_id = old.id;
     return null;
   end $$`,
  `create trigger memory_history_ad after delete on memories for each row
     execute function delete_memory_history()`,
]

/** Events of the service itself, such as repairs, have the memory `system`, which has no row. */
export const systemEventsMigration: Migration = {
  id: '20261128T1150-system-events',
  sqlite: withoutKeyOnFile,
  postgres: withoutKeyOnServer,
}
