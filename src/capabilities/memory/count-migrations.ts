import type { Migration } from '../../kernel/db/migrations.ts'
import { vectorSql } from '../embeddings/index.ts'

/** The minimum importance of a critical memory is part of the stored counts. */
const isCritical = (row: string) => `case when ${row}.importance >= 0.9 then 1 else 0 end`
const isCurrent = (row: string) => `${row}.deleted_at is null and ${row}.superseded_by is null`
/** The primary key. `encodeKey` of the store encodes nullable columns in the same way. */
const keyOf = (row: string, identity: string) =>
  `coalesce('=' || ${row}.scope, ''), ${identity}, ${row}.visibility, ${row}.agent_id,
   coalesce('=' || ${row}.project, '')`

const keyColumns = 'scope, identity, visibility, agent_id, project'
const columns = `
  scope text not null,
  identity text not null,
  visibility text not null,
  agent_id text not null,
  project text not null,
  total bigint not null,
  critical bigint not null`

/** The empty identity counts every current memory. */
const everyMemory = `select '' as identity`
const modelsOf = (row: string) => vectorSql.modelsOf(`${row}.id`)

const fillMemories = `insert into memory_counts (${keyColumns}, total, critical)
  select ${keyOf('m', `''`)}, count(*), sum(${isCritical('m')})
  from memories m where ${isCurrent('m')} group by 1, 2, 3, 4, 5`

const fillVectors = `insert into memory_counts (${keyColumns}, total, critical)
  select ${keyOf('m', 'v.identity')}, count(*), 0
  from memories m join ${vectorSql.table} v on v.memory_id = m.id
  where v.passage = 0 and ${isCurrent('m')} group by 1, 2, 3, 4, 5`

/** All columns of the key and of the conditions. */
const countedColumns = 'scope, visibility, agent_id, project, importance, deleted_at, superseded_by'

/** Adds one memory to its counts, or subtracts it, for each of the identities. */
function addOnFile(row: string, sign: 1 | -1, identities: string): string {
  return `insert into memory_counts
    select ${keyOf(row, 'i.identity')}, ${sign},
      case i.identity when '' then ${sign} * (${isCritical(row)}) else 0 end
    from (${identities}) i where true
    on conflict do update set
      total = total + excluded.total, critical = critical + excluded.critical;`
}

const createOnFile = [
  `create table memory_counts (${columns}, primary key (${keyColumns})) without rowid`,
  `create trigger memory_counts_empty after update on memory_counts when new.total = 0 begin
     delete from memory_counts where (${keyColumns}) =
       (new.scope, new.identity, new.visibility, new.agent_id, new.project); end`,
  `create trigger memory_counts_ai after insert on memories when ${isCurrent('new')}
     begin ${addOnFile('new', 1, everyMemory)} end`,
  ...followChangesOnFile('memory_counts', () => everyMemory),
  fillMemories,
]

function followChangesOnFile(name: string, identitiesOf: (row: string) => string): string[] {
  const subtract = addOnFile('old', -1, identitiesOf('old'))
  return [
    `create trigger ${name}_ad after delete on memories when ${isCurrent('old')}
       begin ${subtract} end`,
    `create trigger ${name}_au_old after update of ${countedColumns} on memories
       when ${isCurrent('old')} begin ${subtract} end`,
    `create trigger ${name}_au_new after update of ${countedColumns} on memories
       when ${isCurrent('new')} begin ${addOnFile('new', 1, identitiesOf('new'))} end`,
  ]
}

function followVectorsOnFile(event: 'insert' | 'delete', row: 'new' | 'old'): string {
  return `create trigger memory_vector_counts_${event} after ${event} on ${vectorSql.table}
    when ${row}.passage = 0 begin
      insert into memory_counts
        select ${keyOf('m', `${row}.identity`)}, ${event === 'insert' ? 1 : -1}, 0
        from memories m where m.id = ${row}.memory_id and ${isCurrent('m')}
        on conflict do update set total = total + excluded.total; end`
}

/**
 * Several rows may have one key. A writer changes the first row of the key that no other
 * transaction has locked, so writers never wait for each other.
 */
const addOnServer = `create function add_memory_count(
    in_scope text, in_identity text, in_visibility text, in_agent text, in_project text,
    added bigint, added_critical bigint
  ) returns void language plpgsql as $$
  declare changed memory_counts;
  begin
    update memory_counts set total = total + added, critical = critical + added_critical
      where position = (select position from memory_counts
        where scope = in_scope and identity = in_identity and visibility = in_visibility
          and agent_id = in_agent and project = in_project
        limit 1 for update skip locked)
      returning * into changed;
    if not found then
      insert into memory_counts (${keyColumns}, total, critical) values
        (in_scope, in_identity, in_visibility, in_agent, in_project, added, added_critical);
    elsif changed.total = 0 and changed.critical = 0 then
      delete from memory_counts where position = changed.position;
    end if;
  end $$`

const addAll = (rows: string) => `perform add_memory_count(${keyColumns}, sum(total)::bigint,
    sum(critical)::bigint)
  from (${rows}) changes group by ${keyColumns} having sum(total) <> 0 or sum(critical) <> 0`

const changesOf = (table: string, sign: 1 | -1, identities: string) => `
  select coalesce('=' || r.scope, '') as scope, i.identity, r.visibility, r.agent_id,
    coalesce('=' || r.project, '') as project, ${sign} as total,
    case i.identity when '' then ${sign} * (${isCritical('r')}) else 0 end as critical
  from ${table} r cross join lateral (${identities}) i where ${isCurrent('r')}`

/** A new memory has no vectors: a trigger on the vectors counts them. */
function countOnServer(identities: string): string {
  const [added, removed] = [
    changesOf('new_rows', 1, identities),
    changesOf('old_rows', -1, identities),
  ]
  return `create or replace function count_memories() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then ${addAll(changesOf('new_rows', 1, everyMemory))};
      elsif tg_op = 'DELETE' then ${addAll(removed)};
      else ${addAll(`${added} union all ${removed}`)};
      end if;
      return null;
    end $$`
}

/** A share lock prevents a concurrent change of the memory from subtracting the vector too. */
const countVectorsOnServer = `create function count_memory_vectors() returns trigger
  language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      perform 1 from memories where id in (select memory_id from changed where passage = 0)
        order by id for share;
    end if;
    ${addAll(`select coalesce('=' || m.scope, '') as scope, v.identity, m.visibility, m.agent_id,
        coalesce('=' || m.project, '') as project,
        case tg_op when 'INSERT' then 1 else -1 end as total, 0 as critical
      from changed v join memories m on m.id = v.memory_id
      where v.passage = 0 and ${isCurrent('m')}`)};
    return null;
  end $$`

const triggerOnServer = (name: string, event: string, rest: string) =>
  `create trigger ${name}_${event} after ${event} ${rest}`

const createOnServer = [
  `create table memory_counts (
     position bigint generated always as identity primary key, ${columns})`,
  `create index memory_counts_of on memory_counts (${keyColumns})`,
  addOnServer,
  countOnServer(everyMemory),
  ...[
    ['insert', 'new table as new_rows'],
    ['delete', 'old table as old_rows'],
    ['update', 'old table as old_rows new table as new_rows'],
  ].map(([event = '', tables]) =>
    triggerOnServer(
      'memory_counts',
      event,
      `on memories referencing ${tables}
      for each statement execute function count_memories()`,
    ),
  ),
  fillMemories,
]

const createVectorsOnServer = [
  countOnServer(`${everyMemory} union all ${modelsOf('r')}`),
  countVectorsOnServer,
  ...[
    ['insert', 'new table as changed'],
    ['delete', 'old table as changed'],
  ].map(([event = '', tables]) =>
    triggerOnServer(
      'memory_vector_counts',
      event,
      `on ${vectorSql.table} referencing ${tables}
      for each statement execute function count_memory_vectors()`,
    ),
  ),
  fillVectors,
]

/** Counts of current memories by the columns that decide who may list them. */
export const countMigration: Migration = {
  id: '20261123T0330-memory-counts',
  sqlite: createOnFile,
  postgres: createOnServer,
}

/** The same for memories with a vector, by model. Needs the tables of the embeddings. */
export const vectorCountMigration: Migration = {
  id: '20261123T0331-memory-vector-counts',
  sqlite: [
    ...followChangesOnFile('memory_vector_counts', modelsOf),
    followVectorsOnFile('insert', 'new'),
    followVectorsOnFile('delete', 'old'),
    fillVectors,
  ],
  postgres: createVectorsOnServer,
}
