import type { Migration } from '../../kernel/db/migrations.ts'

/** Revisions of a block. A reader sums the rest of one block and then the later blocks. */
export const blockRevisions = 256

const isEvidence = (row: string) => `${row}.memory_kind = 'episodic' and ${row}.scope is null
  and ${row}.deleted_at is null and ${row}.visibility <> 'archived' and ${row}.who <> 'dreaming'
  and ${row}.source_type not in
    ('ontology', 'aggregate', 'synthesis', 'session_summary', 'summary')`

const changesOf = (table: string, sign: 1 | -1) => `
  select r.agent_id, r.revision / ${blockRevisions} as block, ${sign} as memories,
    ${sign} * length(r.content) as chars, r.created_at as oldest_at
  from ${table} r where ${isEvidence('r')}`

const blockColumns = 'agent_id, block, memories, chars, oldest_at'

const sumBlocks = (rows: string) => `insert into memory_evidence_blocks (${blockColumns})
  select agent_id, block, sum(memories), sum(chars), min(oldest_at)
  from (${rows}) changes group by agent_id, block`

/** A change that removes memories does not raise `oldest_at`: it is a lower bound. */
const addTo = (table: string, least: string) => `on conflict (agent_id, block) do update set
  memories = ${table}.memories + excluded.memories, chars = ${table}.chars + excluded.chars,
  oldest_at = ${least}(${table}.oldest_at, excluded.oldest_at)`

const blockTable = `create table memory_evidence_blocks (
  agent_id text not null,
  block bigint not null,
  memories bigint not null,
  chars bigint not null,
  oldest_at text not null,
  primary key (agent_id, block))`

const changeOnFile = (row: 'new' | 'old', sign: 1 | -1) => `
  when ${isEvidence(row)} begin
    insert into memory_evidence_blocks (${blockColumns}) values (${row}.agent_id,
      ${row}.revision / ${blockRevisions}, ${sign}, ${sign} * length(${row}.content),
      ${row}.created_at)
    ${addTo('memory_evidence_blocks', 'min')}; end`

/** The columns of a block and of its conditions. */
const countedColumns = `agent_id, revision, created_at, content, memory_kind, scope, deleted_at,
  visibility, who, source_type`

const countOnFile = [
  `${blockTable} without rowid`,
  `create trigger memory_evidence_blocks_empty after update on memory_evidence_blocks
     when new.memories = 0 begin
       delete from memory_evidence_blocks where agent_id = new.agent_id and block = new.block; end`,
  `create trigger memory_evidence_ai after insert on memories ${changeOnFile('new', 1)}`,
  `create trigger memory_evidence_ad after delete on memories ${changeOnFile('old', -1)}`,
  `create trigger memory_evidence_au_old after update of ${countedColumns} on memories
     ${changeOnFile('old', -1)}`,
  `create trigger memory_evidence_au_new after update of ${countedColumns} on memories
     ${changeOnFile('new', 1)}`,
  sumBlocks(changesOf('memories', 1)),
]

/** A writer of memories holds the lock of the revision counter, so the blocks have one writer. */
const countOnServer = [
  blockTable,
  'create index memory_evidence_blocks_empty on memory_evidence_blocks (block) where memories = 0',
  `create function count_memory_evidence() returns trigger language plpgsql as $$
    declare has_removed boolean := tg_op <> 'INSERT';
    begin
      if tg_op = 'INSERT' then ${addRows(changesOf('new_rows', 1))};
      elsif tg_op = 'DELETE' then ${addRows(changesOf('old_rows', -1))};
      else ${addRows(`${changesOf('new_rows', 1)} union all ${changesOf('old_rows', -1)}`)};
      end if;
      if has_removed then delete from memory_evidence_blocks where memories = 0; end if;
      return null;
    end $$`,
  ...[
    ['insert', 'new table as new_rows'],
    ['delete', 'old table as old_rows'],
    ['update', 'old table as old_rows new table as new_rows'],
  ].map(
    ([event, rows]) => `create trigger memory_evidence_${event} after ${event} on memories
      referencing ${rows} for each statement execute function count_memory_evidence()`,
  ),
  sumBlocks(changesOf('memories', 1)),
]

function addRows(rows: string): string {
  return `${sumBlocks(rows)} order by agent_id, block ${addTo('memory_evidence_blocks', 'least')}`
}

/**
 * The evidence that Dreaming has not read may be most memories. The overlay of the graph and the
 * state of Dreaming sum it by blocks. The index `memories_evidence` serves the rest of one block.
 */
export const evidenceBlocksMigration: Migration = {
  id: '20261129T0030-memory-evidence-blocks',
  sqlite: countOnFile,
  postgres: countOnServer,
}
