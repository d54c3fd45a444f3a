import { appendFileSync } from 'node:fs'
import { migrate } from '../db/migrations.ts'
import { openSqlite } from '../db/sqlite/open-sqlite.ts'
import { realHost as host } from '../host/host.ts'
import { createLog } from '../log/log.ts'
import { createJobs } from './jobs.ts'
import { jobsMigrations } from './migrations.ts'

// Runs in a child process: processes and adds jobs until none is live. Prints each job id after its
// insert. A job of the kind `deadly` kills the process.
const [file = '', count = '0', deadly = ''] = process.argv.slice(2)
const database = await openSqlite({ file, synchronous: 'normal' })
await migrate(database, jobsMigrations, host.now())
const { db } = database
const jobs = createJobs({ db, host, log: createLog('silent'), leaseMs: 600 })
jobs.handle({
  kind: 'note',
  concurrency: 4,
  run: async ({ id }) => {
    appendFileSync(`${file}.ran`, `${id}\n`)
    await host.sleep(5)
  },
})
jobs.handle({ kind: 'deadly', run: async () => process.kill(process.pid, 'SIGKILL') })
jobs.start()

for (let number = 0; number < Number(count); number += 1) {
  const { id } = await jobs.enqueue(db, { kind: 'note', payload: { number }, maxAttempts: 20 })
  process.stdout.write(`${id}\n`)
}
if (deadly) process.stdout.write(`${(await jobs.enqueue(db, { kind: 'deadly' })).id}\n`)
for (let live = 1; live > 0; ) {
  await host.sleep(50)
  const { pending, failed, leased } = await jobs.counts()
  live = pending + failed + leased
}
await jobs.stop()
await database.close()
