import { hash } from 'node:crypto'
import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { releaseBytes } from '../../../kernel/threads/release-memory.ts'
import { limits } from '../conversation.ts'
import type { ImportFile, ImportRecord } from '../import-job.ts'
import type { ImportsNeeds } from '../needs.ts'
import { moveCheckpoint } from '../store/files.ts'
import { addCounts, type CountChanges } from '../store/jobs.ts'
import { listIdentities, upsertRecords } from '../store/records.ts'
import { classify, type Outcome, type Parsed, type Projection, saveFresh } from './classify.ts'
import { type JobRun, LeaseLost, leaseUntil } from './lease.ts'
import type { LinePosition, RawLine } from './split-lines.ts'

interface Batch {
  readonly file: ImportFile
  readonly attempt: number
  /** Whether the checkpoint of the file moves behind these lines. */
  readonly moves: boolean
}

export interface Prepared {
  readonly parsed: readonly Parsed[]
  /** Bytes of the messages. */
  readonly size: number
  readonly projections: Projection
}

/** Reads lines outside a transaction, so that the next ones are read while these are stored. */
export async function prepareLines(
  needs: ImportsNeeds,
  lines: readonly RawLine[],
): Promise<Prepared> {
  const parsed = await parseLines(needs, lines)
  const size = parsed.reduce((sum, { conversation }) => sum + (conversation?.size ?? 0), 0)
  return { parsed, size, projections: await project(needs, parsed) }
}

/**
 * Stores the outcomes of lines with everything they change, up to 8 MiB of messages in a transaction.
 * Returns whether a pause is requested.
 */
export async function commitLines(
  run: JobRun,
  batch: Batch,
  { parsed, projections }: Prepared,
): Promise<boolean> {
  let isPauseRequested = false
  for (const part of splitBySize(parsed))
    isPauseRequested = await commit(run, batch, { parsed: part, projections })
  return isPauseRequested
}

async function parseLines(needs: ImportsNeeds, lines: readonly RawLine[]): Promise<Parsed[]> {
  const readable = lines.flatMap(({ bytes }) => (bytes ? [bytes] : []))
  const records = [...(await needs.records.read(readable))]
  return lines.map(({ bytes, ...line }) => {
    const record = bytes && records.shift()
    if (bytes) releaseBytes(bytes)
    return { line, ...(record ?? { rawHash: hashPosition(line), code: 'oversized_record' }) }
  })
}

/** The bytes of an oversized line are not in memory, so its place identifies it. */
function hashPosition({ byteOffset, byteLength }: LinePosition): string {
  return hash('sha256', `${byteOffset}:${byteLength}`)
}

function splitBySize(parsed: readonly Parsed[]): readonly (readonly Parsed[])[] {
  const parts: Parsed[][] = [[]]
  let size = 0
  for (const record of parsed) {
    const added = record.conversation?.size ?? 0
    if (size + added > limits.canonicalBytes) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(record)
    size += added
  }
  return parts.filter(({ length }) => length > 0)
}

async function commit(
  run: JobRun,
  batch: Batch,
  prepared: Omit<Prepared, 'size'>,
): Promise<boolean> {
  const { needs, job } = run
  const { parsed, projections } = prepared
  return transaction(needs.db, async (db) => {
    const now = needs.host.now()
    const owner = { file: batch.file, now: now.toISOString() }
    const { outcomes, fresh } = await classify(needs, db, parsed)
    const records = parsed.map((record, at) =>
      toRecord(batch, record, { outcome: outcomes[at] ?? unread, now: now.toISOString() }),
    )
    const counts = {
      changes: countOutcomes(records),
      leaseExpiresAt: leaseUntil(now),
      now: now.toISOString(),
    }
    // Sent together: none of them needs the reply to another.
    const [, , , counted] = await Promise.all([
      saveFresh(needs, db, { fresh, owner, projections }),
      upsertRecords(db, records),
      batch.moves && moveBehind(db, batch.file, { parsed, updatedAt: now.toISOString() }),
      addCounts(db, job, counts),
    ])
    if (!counted) throw new LeaseLost()
    return counted.controlRequest === 'pause'
  })
}

/** The texts for session search, cleaned before the transaction begins. */
async function project(needs: ImportsNeeds, parsed: readonly Parsed[]): Promise<Projection> {
  const conversations = parsed.flatMap(({ conversation }) => conversation ?? [])
  const identities = conversations.map(({ externalIdentity }) => externalIdentity)
  const known = await listIdentities(needs.db, needs.agentId, identities)
  const committed = new Set(
    known.filter(({ state }) => state === 'committed').map((row) => row.externalIdentity),
  )
  const fresh = conversations.filter(({ externalIdentity }) => !committed.has(externalIdentity))
  // No harness of its own: the words are those of the export.
  const read = await needs.transcripts.readInlineTexts(
    'import',
    fresh.map(({ messages, lines }) => lines ?? messages),
  )
  return new Map(
    fresh.flatMap(({ canonicalId }, at) => (read[at] ? [[canonicalId, read[at]] as const] : [])),
  )
}

/** Each record has an outcome. */
const unread: Outcome = { status: 'rejected', rejectionCode: 'malformed' }

function toRecord(
  { file, attempt }: Batch,
  { line, rawHash, conversation }: Parsed,
  { outcome, now }: { readonly outcome: Outcome; readonly now: string },
): ImportRecord {
  const { id: fileId, jobId, sourceId, agentId, ordinal: fileOrdinal } = file
  const { ordinal, lineNumber, byteOffset, byteLength } = line
  return {
    id: `${jobId}:${fileId}:${ordinal}`,
    jobId,
    fileId,
    fileOrdinal,
    sourceId,
    agentId,
    ordinal,
    lineNumber,
    byteOffset,
    byteLength,
    rawHash,
    status: outcome.status,
    rejectionCode: outcome.rejectionCode ?? null,
    canonicalId: conversation?.canonicalId ?? null,
    canonicalKey: conversation?.canonicalId ?? null,
    externalIdentity: conversation?.externalIdentity ?? null,
    conversationFingerprint: conversation?.fingerprint ?? null,
    attemptCount: attempt,
    updatedAt: now,
  }
}

function countOutcomes(records: readonly ImportRecord[]): CountChanges {
  const count = (status: ImportRecord['status']) =>
    records.filter((record) => record.status === status).length
  return {
    total: 0,
    imported: count('imported'),
    duplicate: count('duplicate'),
    rejected: count('rejected'),
    pending: -records.length,
  }
}

async function moveBehind(
  db: Db,
  file: ImportFile,
  { parsed, updatedAt }: { readonly parsed: readonly Parsed[]; readonly updatedAt: string },
): Promise<void> {
  const last = parsed.at(-1)?.line
  if (!last) return
  const end = last.byteOffset + last.byteLength + 1
  await moveCheckpoint(db, file.id, {
    updatedAt,
    checkpointByteOffset: Math.min(end, file.sizeBytes ?? end),
    checkpointOrdinal: last.ordinal + 1,
    checkpointLineNumber: last.lineNumber,
    malformed: parsed.filter(({ code }) => code === 'malformed').length,
  })
}
