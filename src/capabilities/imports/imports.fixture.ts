import { hash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import type { EventType } from '../../kernel/events/events.ts'
import { noBytes } from '../../kernel/http/byte-body.ts'
import { jobsMigrations } from '../../kernel/jobs/migrations.ts'
import { createLog } from '../../kernel/log/log.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { transcriptsModule } from '../transcripts/index.ts'
import { transcriptsFor } from '../transcripts/transcripts.fixture.ts'
import { importsSettings } from './config.ts'
import { type Control, controlImport } from './control-import.ts'
import { createImport } from './create-import.ts'
import { importsMigrations } from './migrations.ts'
import type { ImportsNeeds } from './needs.ts'
import { readImport } from './read-import.ts'
import { createTransfers } from './transfers.ts'
import { putFile } from './upload/put.ts'
import { createRecordReader } from './worker/record-reader.ts'
import { createImportWorker } from './worker/worker.ts'

export const onEachEngine = testOnEachEngine([
  ...jobsMigrations,
  ...transcriptsModule.migrations,
  ...importsMigrations,
])

export const caller = callerFor('default')

/** Imports over real tables, with a worker that the test runs. */
export function importsFor(db: Db, more: Partial<ImportsNeeds> = {}) {
  const { transcripts, host } = transcriptsFor(db)
  const records = createRecordReader(host)
  onTestFinished(() => records.close())
  const events: unknown[] = []
  const shared = {
    db,
    background: db,
    host,
    log: createLog('silent'),
    events: { emit: <P>(_type: EventType<P>, payload: P) => void events.push(payload) },
    config: { read: () => importsSettings.schema.parse(undefined) } as ImportsNeeds['config'],
    self: { workspace: '', agentId: '', engine: 'sqlite' as const },
    transcripts,
    sources: {
      registerImport: async () => undefined,
      completeImport: async () => undefined,
      pace: {
        yieldToRecalls: () => undefined,
        isBusy: () => false,
        limit: (size: number) => size,
        run: <Result>(work: () => Promise<Result>) => work(),
      },
    },
    agentId: 'default',
    daemonId: 'daemon-1',
    freeBytes: async () => undefined,
    transfers: createTransfers(),
    records,
    ...more,
  }
  const worker = createImportWorker(shared)
  const needs: ImportsNeeds = { ...shared, wake: worker.wake }
  const control = (jobId: string, control: Control) =>
    controlImport(needs, caller, { jobId, control })
  const work = async () => {
    worker.wake()
    await worker.run(new AbortController().signal)
  }
  return {
    needs,
    host,
    transcripts,
    events,
    worker,
    control,
    work,
    read: async (jobId: string) => (await readImport(needs, caller, jobId)).job,
    /** Uploads the texts as sealed files of a new import. */
    upload: async (...texts: readonly (string | Buffer)[]) => {
      const files = texts.map((_, index) => ({ name: toCleanText(`part-${index}.jsonl`) }))
      const created = await createImport(needs, caller, {
        files,
        duplicateMode: 'skip',
        bodyBytes: 0,
      })
      const jobId = created.job.id
      for (const [index, text] of texts.entries()) {
        const fileId = created.files[index]?.id ?? ''
        await putFile(needs, caller, { jobId, fileId, ...toBody(text) })
      }
      return { jobId, fileIds: created.files.map(({ id }) => id) }
    },
    /** Uploads and imports. Returns the job at its end. */
    run: async (jobId: string) => {
      await control(jobId, 'start')
      await work()
      return (await readImport(needs, caller, jobId)).job
    },
  }
}

export function toBody(text: string | Buffer) {
  const bytes = Buffer.from(text)
  async function* parts() {
    // Borders that match no chunk.
    for (let at = 0; at < bytes.length; at += 50_001) yield bytes.subarray(at, at + 50_001)
  }
  const read = async (maxBytes: number) => (bytes.length > maxBytes ? undefined : bytes)
  const body = { ...noBytes, length: bytes.length, parts, read }
  return { bytes: body, headers: { 'content-length': String(bytes.length) } }
}

export function sha256(bytes: string | Buffer): string {
  return hash('sha256', bytes)
}
