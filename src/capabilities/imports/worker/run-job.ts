import { transaction } from '../../../kernel/db/transaction.ts'
import { releaseBytes } from '../../../kernel/threads/release-memory.ts'
import { toPaused } from '../control-import.ts'
import { limits } from '../conversation.ts'
import { emitChanged } from '../events.ts'
import type { ImportFile, ImportJob } from '../import-job.ts'
import { addReserved, listFiles, updateFile } from '../store/files.ts'
import { addCounts, findJob, updateLeased } from '../store/jobs.ts'
import { listRecords } from '../store/records.ts'
import { readChunks, readRange } from '../upload/read-chunks.ts'
import { commitLines, prepareLines } from './commit-batch.ts'
import { type JobRun, LeaseLost, leaseUntil } from './lease.ts'
import { LineSplitter, type RawLine } from './split-lines.ts'

/** Lines of the first transaction, so that its outcome is seen soon. */
const firstBatchSize = 25
/** Lines of one transaction: each transaction flushes the text index of sessions, and writes its pages. */
const batchSize = 200
/** Bytes of lines in one transaction, apart from one long line. */
const batchBytes = 1_048_576
/** Bytes of messages in a transaction above which the next lines are not read meanwhile. */
const maxSizeForPrefetch = 4_194_304
/** Chunks between two looks at the state of the job: 4 MiB. */
const chunksPerCheck = 64

/** Counts the lines of all files, then commits them in batches. */
export async function runJob(run: JobRun): Promise<void> {
  const { needs, job } = run
  const now = needs.host.now().toISOString()
  await changeState(run, { state: 'inventorying', startedAt: job.startedAt ?? now })
  for (const file of await listFiles(needs.background, job.id))
    if (file.recordCount === null) await countLines(run, file)
  await changeState(run, { state: 'running' })
  await retryRecords(run)
  for (const file of await listFiles(needs.background, job.id))
    if (file.state !== 'completed') await commitFile(run, file)
  await complete(run)
}

async function changeState({ needs, job }: JobRun, changed: Partial<ImportJob>): Promise<void> {
  const { db, host } = needs
  await transaction(db, async (db) => {
    const updatedAt = host.now().toISOString()
    if (!(await updateLeased(db, job, { ...changed, updatedAt }))) throw new LeaseLost()
    emitChanged(needs, db, { ...job, ...changed })
  })
}

/** Stops at a request to pause and at the end of the daemon, and renews the lease. */
async function checkpoint({ needs, job, signal }: JobRun): Promise<void> {
  const { db, host } = needs
  signal.throwIfAborted()
  const current = await findJob(db, job.agentId, job.id)
  if (current?.leaseToken !== job.leaseToken || current?.generation !== job.generation)
    throw new LeaseLost()
  const updatedAt = host.now().toISOString()
  if (current.controlRequest !== 'pause') {
    const leaseExpiresAt = leaseUntil(host.now())
    if (!(await updateLeased(db, job, { leaseExpiresAt, updatedAt }))) throw new LeaseLost()
    return
  }
  await transaction(db, async (db) => {
    const paused = { ...toPaused(job), updatedAt }
    if (await updateLeased(db, job, paused)) emitChanged(needs, db, { ...job, state: 'paused' })
  })
  throw new LeaseLost()
}

async function countLines(run: JobRun, file: ImportFile): Promise<void> {
  const { needs, job } = run
  await updateFile(needs.db, file.id, { state: 'inventorying' })
  // The texts of lines are not needed.
  const splitter = new LineSplitter(0)
  let count = 0
  let chunks = 0
  for await (const { content } of readChunks(needs.background, file, 0)) {
    for (const _ of splitter.push(content)) count++
    releaseBytes(content)
    if (++chunks % chunksPerCheck === 0) await checkpoint(run)
  }
  for (const _ of splitter.end()) count++
  const now = needs.host.now()
  const none = { imported: 0, duplicate: 0, rejected: 0 }
  await transaction(needs.db, async (db) => {
    await updateFile(db, file.id, { recordCount: count, updatedAt: now.toISOString() })
    const counts = {
      changes: { ...none, total: count, pending: count },
      leaseExpiresAt: leaseUntil(now),
      now: now.toISOString(),
    }
    if (!(await addCounts(db, job, counts))) throw new LeaseLost()
  })
  await checkpoint(run)
}

/** Lines that an earlier attempt rejected and that may be imported now. */
async function retryRecords(run: JobRun): Promise<void> {
  const { needs, job } = run
  const files = await listFiles(needs.background, job.id)
  for (;;) {
    const page = { jobId: job.id, status: 'pending', limit: 1 } as const
    const [record] = await listRecords(needs.db, page)
    const file = files.find(({ id }) => id === record?.fileId)
    if (!record || !file) return
    const { lineNumber, ordinal, byteOffset, byteLength, attemptCount } = record
    const range = { offset: byteOffset, length: byteLength }
    const bytes = await readRange(needs.background, file, range)
    const line = { lineNumber, ordinal, byteOffset, byteLength, bytes }
    const prepared = await prepareLines(needs, [line])
    await commitLines(run, { file, attempt: attemptCount + 1, moves: false }, prepared)
    await checkpoint(run)
  }
}

async function commitFile(run: JobRun, file: ImportFile): Promise<void> {
  const { needs } = run
  const { pace } = needs.sources
  const lines = readLines(run, file)
  const prepare = async (limit: number) => prepareLines(needs, await takeLines(lines, limit))
  for (let batch = await prepare(firstBatchSize); batch.parsed.length > 0; ) {
    const prepareNext = () => prepare(pace.limit(batchSize))
    const next = batch.size < maxSizeForPrefetch ? prepareNext() : undefined
    // The commit may fail first.
    next?.catch(() => undefined)
    const prepared = batch
    const commit = () => commitLines(run, { file, attempt: 1, moves: true }, prepared)
    const isPauseRequested = await pace.run(commit, run.signal)
    if (isPauseRequested) await checkpoint(run)
    run.signal.throwIfAborted()
    batch = await (next ?? prepareNext())
  }
  if (file.sourceId !== null) await needs.sources.completeImport(file.sourceId)
  const updatedAt = needs.host.now().toISOString()
  await updateFile(needs.db, file.id, { state: 'completed', updatedAt })
}

/** The lines after the checkpoint of the file. */
async function* readLines({ needs }: JobRun, file: ImportFile): AsyncGenerator<RawLine> {
  const from = {
    byteOffset: file.checkpointByteOffset,
    lineNumber: file.checkpointLineNumber,
    ordinal: file.checkpointOrdinal,
  }
  const splitter = new LineSplitter(limits.recordBytes, from)
  for await (const { byteOffset, content } of readChunks(needs.background, file, from.byteOffset)) {
    yield* splitter.push(content.subarray(Math.max(0, from.byteOffset - byteOffset)))
    releaseBytes(content)
  }
  yield* splitter.end()
}

async function takeLines(lines: AsyncIterator<RawLine>, limit: number): Promise<RawLine[]> {
  const taken: RawLine[] = []
  for (let size = 0; taken.length < limit && size < batchBytes; ) {
    const { value: line, done } = await lines.next()
    if (done) break
    taken.push(line)
    size += line.bytes?.length ?? 0
  }
  return taken
}

/** Releases the reserved space, because everything is stored. */
async function complete(run: JobRun): Promise<void> {
  const { needs, job } = run
  await transaction(needs.db, async (db) => {
    const current = await findJob(db, job.agentId, job.id)
    if (!current) throw new LeaseLost()
    const { total, imported, duplicate, rejected, pending } = current
    const now = needs.host.now().toISOString()
    const isWhole = total === imported + duplicate + rejected && pending === 0
    const state = rejected > 0 ? 'completed_with_rejections' : 'completed'
    const done = {
      state,
      completedAt: now,
      reconciledAt: isWhole ? now : null,
      controlRequest: null,
      leaseToken: null,
      leaseExpiresAt: null,
      updatedAt: now,
    } as const
    for (const { id, reservedBytes } of await listFiles(db, job.id)) {
      await addReserved(db, -reservedBytes)
      await updateFile(db, id, { reservedBytes: 0 })
    }
    if (!(await updateLeased(db, job, done))) throw new LeaseLost()
    emitChanged(needs, db, { ...job, state })
  })
}
