import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Db } from '../db/database.ts'
import { testOnEachEngine } from '../testing/engines.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { jobsMigrations } from './migrations.ts'
import { createFilesTask, createRowsTask, createUpgradeTasks } from './upgrade-tasks.ts'

const lines = [1, 2].map((part) => ({
  id: `20270101T000${part}-lines`,
  sqlite: createLines(part),
  postgres: createLines(part),
}))
const onEachEngine = testOnEachEngine([...jobsMigrations, ...lines])

function createLines(part: number): readonly string[] {
  if (part === 1)
    return [
      'create table lines (book text not null, number integer not null, words text, primary key (book, number))',
    ]
  const values = Array.from({ length: 45 }, (_, at) => `('b${at % 3}', ${at}, 'old ${at}')`)
  return [`insert into lines values ${values.join(', ')}, ('b9', 1, null)`]
}

async function upgrading(db: Db) {
  const folder = await temporaryFolder()
  await mkdir(join(folder, '.daemon'))
  const rewritten: (string | null)[] = []
  const rows = {
    id: 'lines',
    table: 'lines',
    keys: ['book', 'number'],
    columns: ['words'],
    rewrite: ([words = null]: readonly (string | null)[]) => {
      rewritten.push(words)
      return [words?.replace('old', 'new') ?? null]
    },
  }
  const start = (...tasks: Parameters<typeof createUpgradeTasks>[1]) =>
    createUpgradeTasks({ db, folder }, tasks)
  const listWords = async () => {
    const tables = db.withTables<{ lines: { readonly words: string | null } }>()
    return (await tables.selectFrom('lines').select('words').execute()).map(({ words }) => words)
  }
  return { folder, rows: createRowsTask(db, rows), rewritten, start, listWords }
}

onEachEngine('rewrites all rows once; a later start does nothing', async (db) => {
  const { rows, rewritten, start, listWords } = await upgrading(db)

  expect(await start(rows)()).toBe(true)
  expect(await start(rows)()).toBe(true)

  expect(rewritten).toHaveLength(46)
  expect((await listWords()).filter((words) => words?.startsWith('new'))).toHaveLength(45)
})

onEachEngine('continues after the last batch of the previous start', async (db) => {
  const { rows, rewritten, start } = await upgrading(db)
  const stopping = new AbortController()
  const cut = {
    ...rows,
    run: async (after: Parameters<typeof rows.run>[0]) => {
      stopping.abort()
      return rows.run(after)
    },
  }

  expect(await start(cut)(stopping.signal)).toBe(false)
  expect(rewritten).toHaveLength(20)
  expect(await start(rows)()).toBe(true)

  expect(new Set(rewritten).size).toBe(46)
  expect(rewritten).toHaveLength(46)
})

onEachEngine('rewrites files once; a failing file stops no other task', async (db) => {
  const { folder, rows, rewritten, start } = await upgrading(db)
  const names = Array.from({ length: 25 }, (_, at) => `${at + 10}.md`)
  for (const name of names) await writeFile(join(folder, name), 'old')
  const written: string[] = []
  const files = (faulty: string) =>
    createFilesTask({
      id: 'files',
      list: async () => names.toReversed(),
      rewrite: async (name) => {
        if (name === faulty) throw new Error('no access')
        written.push(name)
      },
    })

  const run = start(files('31.md'), rows)
  await expect(run()).rejects.toThrow('no access')
  expect(rewritten).toHaveLength(46)
  expect(written.at(-1)).toBe('30.md')
  written.length = 0
  expect(await start(files(''), rows)()).toBe(true)
  expect(written).toEqual(['30.md', '31.md', '32.md', '33.md', '34.md'])
  expect(await start(files(''), rows)()).toBe(true)
  expect(written).toHaveLength(5)

  const marker = await readFile(join(folder, '.daemon', 'upgrade-tasks.json'), 'utf8')
  expect(JSON.parse(marker)).toEqual({ files: null })
})
