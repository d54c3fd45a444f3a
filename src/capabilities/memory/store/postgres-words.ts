import { sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { startMarker } from './tsquery.ts'

/**
 * PostgreSQL's parser treats paths and addresses as one word and depends on the database
 * locale. This function splits and folds as `splitWords` does. A tsvector is limited to 1 MiB,
 * 2,046 bytes a word and position 16,383. Other searches cover the rest.
 */
export async function tokenizeLikeFts5(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  for (const statement of statements()) await sql.raw(statement).execute(db)
}

/** Splits the text of memories faster, into the same words. */
export async function updateWordFunction(db: Db): Promise<void> {
  if (engineOf(db) === 'postgres') await sql.raw(createWordsOf()).execute(db)
}

const memoryWords = `${quote(`${startMarker}:1`)}::tsvector || memory_words_of(content)`

/** Adds the words of the memories again, with their index. */
export async function rebuildWordColumn(db: Db): Promise<void> {
  for (const statement of rebuildWords('memories', memoryWords))
    await sql.raw(statement).execute(db)
}

function statements(): readonly string[] {
  return [
    createWordsOf(),
    ...rebuildWords('memories', memoryWords),
    ...rebuildWords('memory_hints', 'memory_words_of(hint)'),
  ]
}

/** Text of ASCII characters needs no Unicode tables, which take most of the time. */
function createWordsOf(): string {
  const { marks, wordCharacters } = listCharacterRanges()
  const { upper, lower } = listCaseFoldings()
  const unaccented = `regexp_replace(normalize(left(content, 250000), NFD), '[${marks}]+', '', 'g')`
  const split = `regexp_replace(left(${unaccented}, 250000), '[^${wordCharacters}]+', ' ', 'g')`
  const folded = `case when word ~ '[${upper}]' then translate(word, '${upper}', '${lower}')
    else word end`
  const splitAscii = `regexp_replace(lower(left(content, 250000) collate "C"), '[^0-9a-z]+', ' ', 'g')`
  return `create or replace function memory_words_of(content text) returns tsvector
    language plpgsql immutable strict parallel safe as $$
    begin
      if octet_length(content) = length(content) then
        return ${toVector(splitAscii, 'word')};
      end if;
      return ${toVector(split, folded)};
    end $$`
}

function toVector(split: string, folded: string): string {
  return `(select coalesce(
      string_agg(quote_literal(folded) || ':' || least(place, 16383), ' '), '')::tsvector
    from string_to_table(btrim(${split}), ' ') with ordinality as words (word, place)
      cross join lateral (select ${folded} as folded) as folding
    where octet_length(folded) between 1 and 2046)`
}

function rebuildWords(table: string, words: string): readonly string[] {
  return [
    `alter table ${table} drop column if exists words`,
    `alter table ${table} add column words tsvector generated always as (${words}) stored`,
    `create index ${table}_words on ${table} using gin (words)`,
  ]
}

const maxCodePoint = 0x10ffff

/** Word characters and combining marks, as ranges of a regular expression. */
function listCharacterRanges() {
  const marks: string[] = []
  const wordCharacters: string[] = []
  for (const [pattern, ranges] of [
    [/\p{M}/u, marks],
    [/[\p{L}\p{N}\p{Co}]/u, wordCharacters],
  ] as const) {
    let first: number | undefined
    for (let code = 1; code <= maxCodePoint + 1; code++) {
      const isMatch = code <= maxCodePoint && pattern.test(String.fromCodePoint(code))
      if (isMatch) first ??= code
      else if (first !== undefined) {
        ranges.push(`${toEscape(first)}-${toEscape(code - 1)}`)
        first = undefined
      }
    }
  }
  return { marks: marks.join(''), wordCharacters: wordCharacters.join('') }
}

function toEscape(code: number): string {
  return `\\U${code.toString(16).padStart(8, '0')}`
}

/** Upper-case letters and their lower-case letters in the same order. */
function listCaseFoldings() {
  const pairs = [['ς', 'σ']]
  for (let code = 0x41; code < 0x1f000; code++) {
    const sign = String.fromCodePoint(code)
    const lower = sign.toLowerCase()
    const isPlain = sign.normalize('NFD') === sign && [...lower].length === 1
    if (lower !== sign && isPlain) pairs.push([sign, lower])
  }
  const all = (side: number) => pairs.map((pair) => pair[side]).join('')
  return { upper: all(0), lower: all(1) }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
