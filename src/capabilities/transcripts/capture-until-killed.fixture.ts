import { join } from 'node:path'
import { migrate } from '../../kernel/db/migrations.ts'
import { openSqlite } from '../../kernel/db/sqlite/open-sqlite.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { createFileLocks } from '../../kernel/files/file-lock.ts'
import { realHost as host } from '../../kernel/host/host.ts'
import { createJobs } from '../../kernel/jobs/jobs.ts'
import { jobsMigrations } from '../../kernel/jobs/migrations.ts'
import { createLog } from '../../kernel/log/log.ts'
import { captureIdOf } from './capture.ts'
import { transcriptsSettings } from './config.ts'
import { createTranscripts } from './index.ts'
import { transcriptsMigrations } from './migrations.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { readReceipt } from './read.ts'

// Runs as a separate process on a folder. It extends five sessions and prints each saved state until it
// is killed. With `finish` it completes the open captures.
const [folder = '', mode = ''] = process.argv.slice(2)
const database = await openSqlite({ file: join(folder, 'test.db'), synchronous: 'normal' })
await migrate(database, [...jobsMigrations, ...transcriptsMigrations], host.now())
const { db } = database
const log = createLog('silent')
const jobs = createJobs({ db, host, log, leaseMs: 1_000 })
const needs: TranscriptsNeeds = {
  db,
  background: db,
  host,
  log,
  jobs,
  folder,
  locks: createFileLocks(host),
  config: () => ({ ...transcriptsSettings.schema.parse(undefined), stagingFolder: folder }),
  models: { run: () => Promise.reject(new Error('no model')) },
  readMemories: async () => [],
  eventSources: () => [],
}
const transcripts = createTranscripts(needs)
for (const kind of transcripts.jobs) jobs.handle(kind)
const sessions = Array.from({ length: 5 }, (_, index) => `s${index}`)
jobs.start()
await (mode === 'finish' ? finish() : extend())

async function extend(): Promise<void> {
  for (;;)
    for (const sessionKey of sessions) {
      const session = { agentId: 'ada', sessionKey, harness: 'codex' }
      const before = (await transcripts.find(db, session))?.content ?? ''
      const transcript = `${before}\nUser: ${host.newId()}\nAssistant: ${'word '.repeat(2_000)}`
      const read = await transcripts.readInput({ harness: 'codex', transcript })
      const saved = await transaction(db, async (db) => {
        const snapshot = await transcripts.saveSnapshot(db, { ...session, read, complete: true })
        if (snapshot) await transcripts.enqueueCapture(db, snapshot)
        return snapshot
      })
      process.stdout.write(`${sessionKey} ${saved?.transcript.content.split('\n').length}\n`)
    }
}

async function finish(): Promise<void> {
  for (const sessionKey of sessions) {
    const ref = { agentId: 'ada', sessionKey }
    while (await isOpen(ref)) await host.sleep(20)
    process.stdout.write(`${JSON.stringify(await transcripts.find(db, ref))}\n`)
  }
  await jobs.stop()
  await database.close()
}

async function isOpen(ref: { readonly agentId: string; readonly sessionKey: string }) {
  if (!(await transcripts.find(db, ref))) return false
  const { status } = await readReceipt(needs, { ...ref, scope: {} }, captureIdOf(ref))
  return status !== 'completed' && status !== 'dead'
}
