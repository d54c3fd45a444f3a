import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { openTestPostgres, startPostgresAhead } from '../../../kernel/testing/engines.ts'
import { splitWords } from '../expression.ts'
import { memoryMigrations } from '../migrations.ts'

startPostgresAhead()

async function openServer(): Promise<Db> {
  const database = await openTestPostgres()
  await createTables(database, memoryMigrations)
  return database.db
}

async function readWords(db: Db, text: string): Promise<readonly string[]> {
  const { rows } = await sql<{
    words: readonly string[]
  }>`select tsvector_to_array(memory_words_of(${text})) as words`.execute(db)
  return rows.flatMap(({ words }) => words)
}

const distinct = (words: readonly string[]) => [...new Set(words)].toSorted()

test('PostgreSQL splits and folds text like splitWords', async () => {
  const db = await openServer()
  const signs = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'binary-ascii', maxLength: 40 }),
    fc.constantFrom(
      'Café',
      'ΟΔΟΣ ΣΑΣ',
      'İstanbul ISPARTA',
      'हिन्दी',
      '한국어',
      '1e5x m² Ⅷ ½',
      'a@b.c/d-e_f',
    ),
  )

  await fc.assert(
    fc.asyncProperty(fc.array(signs, { maxLength: 4 }), async (parts) => {
      const text = parts.join(' ').replaceAll('\0', '')
      expect(distinct(await readWords(db, text))).toEqual(distinct(splitWords(text)))
    }),
    { numRuns: 200 },
  )
})

test('text of any length fits a tsvector', async () => {
  const db = await openServer()
  const signs = Array.from({ length: 125_000 }, (_, at) =>
    String.fromCodePoint(0x20000 + (at % 42_000)),
  )
  const texts = [
    signs.join(' '),
    Array.from({ length: 90_000 }, (_, at) =>
      String.fromCodePoint(0xac00 + (at % 11_000), 0xac00 + (at >> 3)),
    ).join(' '),
    'a '.repeat(200_000),
    `${'w'.repeat(3000)} ${'Ⱥ'.repeat(1000)} tea ${'\u{20000}'.repeat(300_000)}`,
    "'\\:1 -- ; $$",
    '',
  ]

  for (const text of texts) await expect(readWords(db, text)).resolves.toBeDefined()
  expect(await readWords(db, texts[3] ?? '')).toEqual(['tea'])
})
