import { sql } from 'kysely'
import { expect } from 'vitest'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { runRepair } from '../../../kernel/testing/run-repair.ts'
import { memoryNeeds, onEachEngine, plain } from '../memory.fixture.ts'
import { remember } from '../remember.ts'
import { createMemoryRepairs } from '../repairs.ts'
import { searchWords } from './text-index.fixture.ts'

const ada = callerFor('ada')

async function prepare(db: Db) {
  const { needs } = memoryNeeds(db)
  for (const text of ['a fern in the hall', 'a lamp in the hall'])
    await remember(needs, ada, plain(text))
  const actions = createMemoryRepairs(needs)
  const check = (repair: boolean) =>
    runRepair(db, actions, { name: 'check-fts', input: { repair } })
  return { actions, check }
}

const damages = {
  sqlite: [
    `insert into memories_fts (memories_fts) values ('delete-all')`,
    'drop table memories_terms',
    'drop table memories_fts',
  ],
  postgres: ['drop index memories_words'],
} as const

onEachEngine('an intact text index is left as it is', async (db) => {
  const { check } = await prepare(db)

  expect(await check(true)).toMatchObject({
    affected: 0,
    message: 'The text index matches the memories.',
  })
})

onEachEngine(
  'a damaged text index is reported, rebuilt on request, and then intact',
  async (db) => {
    const { actions, check } = await prepare(db)
    for (const damage of damages[engineOf(db)].slice(0, 1)) await sql.raw(damage).execute(db)

    const dry = { name: 'check-fts', input: { repair: true }, dryRun: true }
    const reported = { affected: 1, details: { rebuilt: false } }
    expect(await runRepair(db, actions, dry)).toMatchObject(reported)
    expect(await check(false)).toMatchObject({
      ...reported,
      message: expect.stringContaining('Rebuild it with --repair.'),
    })
    expect(await check(true)).toMatchObject({ affected: 1, details: { rebuilt: true } })
    expect(await check(true)).toMatchObject({ affected: 0 })
    expect(await searchWords(db, 'fern')).toBe(1)
  },
)

onEachEngine('a text index with another tokenizer is created again', async (db) => {
  const { check } = await prepare(db)
  const drifts = {
    sqlite: [
      ...damages.sqlite.slice(1),
      `create virtual table memories_fts using fts5(content, content = 'memories_text',
         content_rowid = 'position', tokenize = 'porter')`,
    ],
    postgres: [
      'alter table memories drop column words',
      `alter table memories add column words tsvector
         generated always as (to_tsvector('simple', content)) stored`,
      'create index memories_words on memories using gin (words)',
    ],
  }
  for (const statement of drifts[engineOf(db)]) await sql.raw(statement).execute(db)

  const drift = expect.stringContaining('another tokenizer')
  expect(await check(true)).toMatchObject({ affected: 1, details: { drift, rebuilt: true } })
  expect(await check(true)).toMatchObject({ affected: 0 })
  expect(await searchWords(db, 'lamp')).toBe(1)
})
