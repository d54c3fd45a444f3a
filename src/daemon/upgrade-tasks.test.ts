import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../kernel/db/migrations.ts'
import { jobsMigrations } from '../kernel/jobs/migrations.ts'
import { createLog } from '../kernel/log/log.ts'
import { openTestSqlite } from '../kernel/testing/engines.ts'
import { temporaryFolder } from '../kernel/testing/temporary-folder.ts'
import { scheduleUpgradeTasks } from './shutdown.ts'

test('retains the backup until every cleaning task is complete, and logs its name', async () => {
  const workspace = await temporaryFolder()
  await mkdir(join(workspace, '.daemon'))
  const database = await openTestSqlite()
  await migrate(database, jobsMigrations, new Date(0))
  const folder = dirname(database.file ?? '')
  const backup = 'test.db.backup-20261121T1404-memory-terms.db'
  const later = 'test.db.backup-29990101T0000-later.db'
  for (const name of [backup, later]) await writeFile(join(folder, name), '')
  const listBackups = async () =>
    (await readdir(folder)).filter((name) => name.includes('backup')).toSorted()
  const entries: unknown[] = []
  const log = createLog('silent')
  const state = { fails: true, waits: true }
  const upgrade = scheduleUpgradeTasks(
    {
      database,
      self: { workspace },
      log: Object.assign(log, { info: (...entry: unknown[]) => void entries.push(entry) }),
    },
    [
      {
        id: 'a',
        data: 'workspace',
        run: async () => {
          if (state.fails) throw new Error('no access')
          return undefined
        },
      },
      { id: 'b', data: 'database', run: async () => (state.waits ? [] : undefined) },
    ],
  )
  const run = () => upgrade.run(new AbortController().signal)

  await expect(run()).rejects.toThrow('no access')
  expect(await listBackups()).toEqual([backup, later])
  state.fails = false
  await run()
  expect(await listBackups()).toEqual([backup, later])
  expect(entries).toEqual([])
  state.waits = false
  await run()

  expect(await listBackups()).toEqual([later])
  expect(entries).toEqual([[{ removed: [backup] }, 'backups with uncleaned text removed']])
})
