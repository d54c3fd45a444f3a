import { sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { beginning } from './tsquery.ts'

/**
 * A server's own parser takes paths and addresses for one word, and depends on the locale of its
 * database: this splits and folds as `splitWords` does. The server takes no word list above 1 MiB,
 * no word above 2,046 bytes and no place above 16,383: what is beyond is found by other means.
 */
export async function splitAlike(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  for (const statement of statements()) await sql.raw(statement).execute(db)
}

function statements(): readonly string[] {
  return [
    createWordsOf(),
    ...renewWords('memories', `${quote(`${beginning}:1`)}::tsvector || memory_words_of(content)`),
    ...renewWords('memory_hints', 'memory_words_of(hint)'),
  ]
}

function createWordsOf(): string {
  const { marks, wordSigns } = readSigns()
  const { large, small } = readCases()
  const bare = `regexp_replace(normalize(left(content, 250000), NFD), '[${marks}]+', '', 'g')`
  const split = `regexp_replace(left(${bare}, 250000), '[^${wordSigns}]+', ' ', 'g')`
  const folded = `case when word ~ '[${large}]' then translate(word, '${large}', '${small}')
    else word end`
  return `create or replace function memory_words_of(content text) returns tsvector
    language sql immutable strict parallel safe as $$
      select coalesce(
          string_agg(quote_literal(folded) || ':' || least(place, 16383), ' '), '')::tsvector
        from string_to_table(btrim(${split}), ' ') with ordinality as words (word, place)
          cross join lateral (select ${folded} as folded) as folding
        where octet_length(folded) between 1 and 2046
    $$`
}

function renewWords(table: string, words: string): readonly string[] {
  return [
    `alter table ${table} drop column words`,
    `alter table ${table} add column words tsvector generated always as (${words}) stored`,
    `create index ${table}_words on ${table} using gin (words)`,
  ]
}

const lastSign = 0x10ffff

/** The signs that words consist of, and the marks upon them, as ranges of a regular expression. */
function readSigns() {
  const marks: string[] = []
  const wordSigns: string[] = []
  for (const [pattern, ranges] of [
    [/\p{M}/u, marks],
    [/[\p{L}\p{N}\p{Co}]/u, wordSigns],
  ] as const) {
    let first: number | undefined
    for (let code = 1; code <= lastSign + 1; code++) {
      const isOne = code <= lastSign && pattern.test(String.fromCodePoint(code))
      if (isOne) first ??= code
      else if (first !== undefined) {
        ranges.push(`${toSign(first)}-${toSign(code - 1)}`)
        first = undefined
      }
    }
  }
  return { marks: marks.join(''), wordSigns: wordSigns.join('') }
}

function toSign(code: number): string {
  return `\\U${code.toString(16).padStart(8, '0')}`
}

/** Large letters, and the small ones in the same order. */
function readCases() {
  const pairs = [['ς', 'σ']]
  for (let code = 0x41; code < 0x1f000; code++) {
    const sign = String.fromCodePoint(code)
    const small = sign.toLowerCase()
    const isPlain = sign.normalize('NFD') === sign && [...small].length === 1
    if (small !== sign && isPlain) pairs.push([sign, small])
  }
  const all = (side: number) => pairs.map((pair) => pair[side]).join('')
  return { large: all(0), small: all(1) }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
