import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { eraseResidue } from './erase-residue.ts'

const secret = 'swordfish'
const tables = `
  create table notes (position integer primary key, id text unique, text text);
  create table wide (id text primary key, text text) without rowid;
  create virtual table words using fts5(text);
  insert into words (words, rank) values ('secure-delete', 1)`

function open(file: string): Sqlite.Database {
  const sqlite = new Sqlite(file)
  for (const pragma of ['auto_vacuum = incremental', 'journal_mode = wal', 'secure_delete = on'])
    sqlite.pragma(pragma)
  return sqlite
}

/** Random keys, so that pages are divided and rows move. */
function fill(sqlite: Sqlite.Database, seed: number): void {
  const add = sqlite.prepare('insert into notes (id, text) values (?, ?)')
  const addWide = sqlite.prepare('insert into wide values (?, ?)')
  const addWords = sqlite.prepare('insert into words (rowid, text) values (?, ?)')
  sqlite.exec('begin')
  for (let at = 0; at < 3_000; at++) {
    const key = hash('sha256', `${seed} ${at}`)
    const word = at % 3 === 0 ? secret : 'remains'
    const text = `${word} ${key.slice(at % 40)} `.repeat(1 + (at % 5))
    const { lastInsertRowid } = add.run(key.slice(at % 30) + word, text)
    addWords.run(lastInsertRowid, text)
    addWide.run(key + word, at % 50 === 0 ? text.repeat(100) : text)
  }
  sqlite.exec('commit')
}

const countOf = (file: string) => readFileSync(file).toString('latin1').split(secret).length - 1

test('no word of a deleted row stays in the file, and every other row does', async () => {
  const folder = await temporaryFolder()
  let residue = 0
  for (const seed of [1, 2, 3]) {
    const file = join(folder, `${seed}.db`)
    const sqlite = open(file)
    sqlite.exec(tables)
    fill(sqlite, seed)
    const remaining = sqlite.prepare(`select * from notes where id not like '%${secret}'`)
    const expected = remaining.all()
    sqlite.exec(`
      delete from words where rowid in (select position from notes where id like '%${secret}');
      delete from notes where id like '%${secret}';
      delete from wide where id like '%${secret}'`)
    if (seed % 2 === 0) sqlite.pragma('incremental_vacuum(200)')
    sqlite.close()
    residue += countOf(file)

    eraseResidue(file)

    expect(countOf(file)).toBe(0)
    const again = open(file)
    expect(again.pragma('integrity_check', { simple: true })).toBe('ok')
    again.exec(`insert into words (words, rank) values ('integrity-check', 1)`)
    expect(again.prepare('select * from notes').all()).toEqual(expected)
    expect(again.prepare('select count(*) as n from wide').get()).toEqual({ n: 2_000 })
    again.close()
  }
  // Otherwise this test shows nothing.
  expect(residue).toBeGreaterThan(0)
})

test('a file that is in use stays as it is', async () => {
  const file = join(await temporaryFolder(), 'used.db')
  expect(eraseResidue(file)).toBe(0)
  const sqlite = open(file)
  sqlite.exec(tables)
  fill(sqlite, 1)
  sqlite.exec(`delete from notes where id like '%${secret}'`)
  sqlite.exec('begin')
  sqlite.prepare('select count(*) from notes').get()

  expect(eraseResidue(file)).toBe(0)

  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  sqlite.close()
})
