import type { Migration } from '../../../kernel/db/migrations.ts'

const isAppended = '(substr(new.content, 1, length(old.content)) = old.content)'
const insertPiece = (start: string) =>
  `insert into session_transcript_pieces (transcript, start, length)
     values (new.position, ${start}, length(new.content) + 1 - (${start}));
   insert into session_transcripts_fts (rowid, content)
     values (last_insert_rowid(), substr(new.content, ${start}));`
const deletePieces = `insert into session_transcripts_fts (session_transcripts_fts, rowid, content)
    select 'delete', position, substr(old.content, start, length)
    from session_transcript_pieces where transcript = old.position;
  delete from session_transcript_pieces where transcript = old.position;`

/**
 * PostgreSQL rejects word lists above 1 MiB, so only the newest part of a longer piece is indexed.
 */
const wordsOf = (text: string) => `to_tsvector('simple', right(${text}, 250000))`

/** The words of a session, one row for each appended piece. */
export const wordPieces: readonly Migration[] = [
  {
    id: '20261121T1940-session-transcript-pieces',
    sqlite: [
      ...['in', 'out', 'changes'].map((name) => `drop trigger session_transcripts_word_${name}`),
      'drop table session_transcripts_fts',
      // A growing session is indexed by its appended pieces.
      `create table session_transcript_pieces (
        position integer primary key autoincrement,
        transcript integer not null,
        start integer not null,
        length integer not null
      )`,
      'create index session_transcript_pieces_of on session_transcript_pieces (transcript)',
      `create view session_transcript_piece_texts as
         select piece.position, substr(whole.content, piece.start, piece.length) as content
         from session_transcript_pieces as piece
         join session_transcripts as whole on whole.position = piece.transcript`,
      `create virtual table session_transcripts_fts using fts5(
        content, content = 'session_transcript_piece_texts', content_rowid = 'position',
        tokenize = 'unicode61')`,
      `insert into session_transcripts_fts (session_transcripts_fts, rank)
         values ('secure-delete', 1)`,
      `create trigger session_transcripts_word_in after insert on session_transcripts
         begin ${insertPiece('1')} end`,
      `create trigger session_transcripts_word_out before delete on session_transcripts
         begin ${deletePieces} end`,
      `create trigger session_transcripts_word_added after update of content on session_transcripts
         when ${isAppended} and new.content <> old.content
         begin ${insertPiece('length(old.content) + 1')} end`,
      `create trigger session_transcripts_word_changes after update of content on session_transcripts
         when not ${isAppended} begin ${deletePieces} ${insertPiece('1')} end`,
      `insert into session_transcript_pieces (transcript, start, length)
         select position, 1, length(content) from session_transcripts`,
      "insert into session_transcripts_fts (session_transcripts_fts) values ('rebuild')",
    ],
    postgres: [],
  },
  {
    id: '20261121T2255-session-transcript-words',
    sqlite: [],
    postgres: [
      // As on SQLite: a growing session is indexed by its appended pieces.
      'alter table session_transcripts drop column words',
      `create table session_transcript_pieces (
        position bigint generated always as identity primary key,
        transcript bigint not null references session_transcripts (position) on delete cascade,
        words tsvector not null
      )`,
      'create index session_transcript_pieces_of on session_transcript_pieces (transcript)',
      `create index session_transcript_pieces_words on session_transcript_pieces
         using gin (words)`,
      `create function session_transcript_pieces_keep() returns trigger language plpgsql as $$
        declare start integer := 1;
        begin
          if tg_op = 'UPDATE' then
            if left(new.content, length(old.content)) = old.content
            then start := length(old.content) + 1;
            else delete from session_transcript_pieces where transcript = new.position;
            end if;
          end if;
          insert into session_transcript_pieces (transcript, words)
            values (new.position, ${wordsOf('substr(new.content, start)')});
          return null;
        end $$`,
      `create trigger session_transcripts_word_in after insert on session_transcripts
         for each row execute function session_transcript_pieces_keep()`,
      `create trigger session_transcripts_word_changes after update of content on session_transcripts
         for each row when (new.content <> old.content)
         execute function session_transcript_pieces_keep()`,
      `insert into session_transcript_pieces (transcript, words)
         select position, ${wordsOf('content')} from session_transcripts`,
    ],
  },
]
