import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openTestSqlite } from '../../testing/engines.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import type { Database, Db } from '../database.ts'
import { DatabaseBusy, DatabaseError, DatabaseLost } from '../database-error.ts'
import { transaction } from '../transaction.ts'

const createNotes = (db: Db) => sql`create table notes (text text)`.execute(db)
const add = (db: Db, text = 'note') => sql`insert into notes values (${text})`.execute(db)
const count = async (db: Db) =>
  (await sql<{ n: number }>`select count(*) as n from notes`.execute(db)).rows[0]?.n
const codeOf = (error: unknown) => (error instanceof DatabaseError ? error.code : error)

test('uses one thread per connection under any load', async () => {
  const threads = watchThreads()
  const { db, background } = await openWithNotes()

  await Promise.all(
    Array.from({ length: 100 }, () => [add(db), count(db), count(background)]).flat(),
  )

  expect(threads.alive.size).toBe(3)
})

test('the background thread ends when idle and restarts on demand', async () => {
  const threads = watchThreads()
  const { background, lanes } = await openWithNotes({ backgroundIdleTimeoutMs: 1 })

  for (let turn = 0; turn < 3; turn++) {
    expect(await count(background)).toBe(0)
    const [resting] = [...threads.alive].slice(-1)
    await (resting && once(resting, 'exit'))
    expect(lanes().find(({ name }) => name === 'background')?.alive).toBe(0)
  }
})

test('a thread that ends by itself loses no queued statement', async () => {
  const { background } = await openWithNotes({ backgroundIdleTimeoutMs: 0 })

  for (let turn = 0; turn < 20; turn++) {
    const counts = await Promise.all([count(background), count(background)])
    expect(counts).toEqual([0, 0])
    await pause(turn % 5)
  }
})

test('a transaction sends its statements without waiting for the answers before them', async () => {
  const { db, lanes } = await openWithNotes()
  const unanswered = () => lanes().find(({ name }) => name === 'writer')?.waiting

  await transaction(db, async (db) => {
    expect(await count(db)).toBe(0)
    const answers = Promise.all([add(db), add(db), count(db)])
    expect(unanswered()).toBe(3)
    expect((await answers)[2]).toBe(2)
  })
})

test('select * returns the columns that the table has at that time', async () => {
  const { db } = await openWithNotes()
  const rows = async (from: Db) => (await sql`select * from notes`.execute(from)).rows
  const expectRow = async (row: object) => {
    // One in the reader, one in the writer.
    expect(await rows(db)).toEqual([row])
    expect(await transaction(db, rows)).toEqual([row])
  }
  await add(db)
  await expectRow({ text: 'note' })

  await sql`alter table notes rename column text to full_text`.execute(db)
  await expectRow({ fullText: 'note' })
  await sql`alter table notes add column stars integer`.execute(db)
  await expectRow({ fullText: 'note', stars: null })
})

test('a dead writer loses its current work only', async () => {
  const threads = watchThreads()
  const { db } = await openWithNotes()
  await count(db)
  const before = threads.alive.size

  const lost = transaction(db, async (db) => {
    await add(db)
    await threads.first().terminate()
    await add(db)
  })
  const next = add(db, 'from one who waited')

  await expect(lost).rejects.toBeInstanceOf(DatabaseLost)
  await next
  expect([await count(db), threads.alive.size]).toEqual([1, before])
})

test('calls queued for a dying thread are refused and not repeated', async () => {
  const threads = watchThreads()
  const { db } = await openWithNotes()
  await add(db)

  const killed = threads.first().terminate()
  const waiting = add(db)

  await expect(waiting).rejects.toBeInstanceOf(DatabaseLost)
  await killed
  await add(db)
  expect(await count(db)).toBe(2)
})

test('refuses reads beyond the queue limit', async () => {
  const { db } = await openWithNotes({ maxQueued: 2 })

  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => count(db)))

  const refused = outcomes.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []))
  expect(refused).toHaveLength(3)
  expect(refused[0]).toBeInstanceOf(DatabaseBusy)
})

test('refuses writers beyond the queue limit', async () => {
  const { db } = await openWithNotes({ maxQueued: 2 })

  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => add(db)))

  const refused = outcomes.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []))
  expect(refused).toHaveLength(3)
  expect(refused[0]).toBeInstanceOf(DatabaseBusy)
})

test('a full disk is reported by its code, and the whole transaction is rolled back', async () => {
  const { db } = await openWithNotes()
  await sql`pragma max_page_count = 4`.execute(db)

  const filling = transaction(db, async (db) => {
    await add(db)
    await add(db, 'x'.repeat(100_000)).catch(() => undefined)
    await add(db, 'x'.repeat(100_000))
  })

  expect(await filling.catch(codeOf)).toMatch(/^(SQLITE_FULL|TRANSACTION_GONE)$/)
  expect(await count(db)).toBe(0)
})

test('reports the error that ended a transaction, not the failed rollback', async () => {
  const { db } = await openWithNotes()
  await sql`pragma max_page_count = 4`.execute(db)

  const filling = transaction(db, (db) => add(db, 'x'.repeat(100_000)))

  expect(await filling.catch(codeOf)).toBe('SQLITE_FULL')
})

test('a failed commit rolls back its transaction only', async () => {
  const { db } = await openWithNotes()
  await sql`create table parents (id integer primary key)`.execute(db)
  await sql`create table children (parent references parents deferrable initially deferred)`.execute(
    db,
  )
  const failing = transaction(db, async (db) => {
    await add(db, 'lost')
    await sql`insert into children values (1)`.execute(db)
  })
  const next = Promise.all([transaction(db, (db) => add(db, 'saved')), add(db, 'saved')])

  await expect(failing).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' })
  await next
  expect(await count(db)).toBe(2)
})

test('refuses a file that is no database, and leaves no thread', async () => {
  const threads = watchThreads()
  const file = join(await temporaryFolder(), 'test.db')
  await writeFile(file, 'no database at all'.repeat(100))

  await expect(openTestSqlite({ file })).rejects.toMatchObject({
    code: 'SQLITE_NOTADB',
    message: expect.stringContaining(file),
  })
  expect(threads.alive.size).toBe(0)
})

test('returns pages of deleted rows to the disk, and checkpoints the log', async () => {
  const database = await openWithNotes()
  const { db } = database
  for (let row = 0; row < 50; row++) await add(db, 'x'.repeat(50_000))
  await sql`delete from notes`.execute(db)

  const { pagesFreed, walPages } = await database.maintain()

  expect(pagesFreed).toBeGreaterThan(500)
  expect(walPages).toBe(0)
  expect(await database.maintain()).toEqual({ pagesFreed: 0, walPages: 0 })
})

const texts = { 'a few words': 1, 'many words': 2000 }
test.for(Object.entries(texts))(
  'leaves no trace of deleted %s in the file, and keeps the others',
  async ([, times]) => {
    const database = await openWithNotes()
    const { db } = database
    for (let row = 0; row < 100; row++) {
      await add(db, `${row} ${'swordfish '.repeat(times)}`)
      if (row % 10 === 0) await add(db, 'what stays')
    }
    await database.maintain()
    const read = () => readFile(database.file ?? '', 'latin1')
    expect(await read()).toContain('swordfish')

    await sql`delete from notes where text like '%swordfish%'`.execute(db)
    // Checkpointed, with no page returned to the disk yet.
    await sql`pragma wal_checkpoint(truncate)`.execute(db)

    expect(await read()).not.toContain('swordfish')
    expect(await read()).toContain('what stays')
  },
)

test('a backup is a complete database', async () => {
  const database = await openWithNotes()
  await add(database.db)
  const file = `${database.file}.copy`

  await database.backup(file)
  await add(database.db)

  const copy = await openTestSqlite({ file })
  expect([await count(copy.db), await count(database.db)]).toEqual([1, 2])
})

test('does not start a backup without enough disk space', async () => {
  const database = await openWithNotes({ freeBytes: async () => 1000 })

  await expect(database.backup(`${database.file}.copy`)).rejects.toThrow(
    /needs \d+ bytes in .*, where 1000 are free/,
  )
  expect((await readdir(dirname(database.file ?? ''))).filter((name) => /copy/.test(name))).toEqual(
    [],
  )
})

test('unknown free space does not count as a full disk', async () => {
  const database = await openWithNotes({ freeBytes: async () => undefined })

  await database.backup(`${database.file}.copy`)
})

test('closing checkpoints the log', async () => {
  const database = await openWithNotes()
  await Promise.all([add(database.db), add(database.db)])

  await database.close()

  expect(await readdir(dirname(database.file ?? ''))).toEqual(['test.db'])
})

test('starts no thread after it is closed', async () => {
  const threads = watchThreads()
  const database = await openWithNotes()
  await database.close()

  expect(await database.maintain().catch(codeOf)).toBe('CLOSED')
  expect(threads.alive.size).toBe(0)
})

async function openWithNotes(options = {}): Promise<Database> {
  const database = await openTestSqlite(options)
  await createNotes(database.db)
  return database
}

/** Waits until the threads started since then have ended. */
function watchThreads() {
  const alive = new Set<Worker>()
  const started: Worker[] = []
  const watch = (worker: Worker) => {
    alive.add(worker)
    started.push(worker)
    worker.once('exit', () => alive.delete(worker))
  }
  process.on('worker', watch)
  onTestFinished(() => {
    process.off('worker', watch)
  })
  const first = () => {
    const [writer] = started
    if (!writer) throw new Error('No thread was started.')
    return writer
  }
  return { alive, first }
}
