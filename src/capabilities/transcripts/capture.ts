import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import type { JobKind, Task } from '../../kernel/jobs/kind.ts'
import type { CleanText } from '../../kernel/redaction/clean-text.ts'
import { condense } from './condense.ts'
import { pathOfTranscripts } from './files/transcript-file.ts'
import { saveManifest, writeManifest } from './manifest.ts'
import { findMemorySentence, maxSentenceTailLength, maxSentenceTurns } from './memory-sentence.ts'
import type { TranscriptsNeeds, TranscriptsRuntime } from './needs.ts'
import { countAllTurns } from './read.ts'
import type { SaveResult } from './save-snapshot.ts'
import { upsertTranscriptArtifact } from './store/artifacts.ts'
import { completeCapture, findCapture, upsertCapture } from './store/captures.ts'
import { findHeader, findOrigin } from './store/transcripts.ts'
import { saveSummary } from './summaries.ts'
import { countTokens, type Summary } from './summary.ts'
import {
  readLastTurns,
  type SessionRef,
  sessionTokenOf,
  type TranscriptHeader,
} from './transcript.ts'
import { writeTranscript } from './transcript-file-writer.ts'

export const captureJobKind = 'transcripts.capture'
const firstBackoffMs = 30_000
const mismatchReason =
  'transcript_mismatch: the session has a complete transcript that differs from this one'

/**
 * Enqueues the capture of a saved transcript, in the transaction of `saveSnapshot`. Returns the receipt
 * id: one for each session, reopened for new content. Refuses with `queue_full`.
 */
export async function enqueueCapture(
  { host, jobs, config }: Pick<TranscriptsNeeds, 'host' | 'jobs' | 'config'>,
  db: Db,
  { transcript, outcome }: SaveResult,
): Promise<string> {
  const { agentId, sessionKey, contentHash } = transcript
  const id = captureIdOf(transcript)
  const before = await findCapture(db, { agentId, id })
  const isMismatch = outcome === 'mismatch'
  const isSame = before?.contentHash === contentHash && before.problem === null
  if (isSame && !isMismatch) return id
  const job = isMismatch
    ? undefined
    : await jobs.enqueue(db, {
        kind: captureJobKind,
        agentId,
        subject: `session:${sessionKey}`,
        maxAttempts: config().captureAttempts,
        payload: { agentId, sessionKey },
        dedupeKey: `${id}:${contentHash}`,
      })
  const now = host.now().toISOString()
  await upsertCapture(db, {
    id,
    agentId,
    sessionKey,
    contentHash,
    jobId: job?.id ?? null,
    completedAt: null,
    problem: isMismatch ? mismatchReason : null,
    createdAt: now,
    updatedAt: now,
  })
  return id
}

export function captureJob(needs: TranscriptsRuntime): JobKind {
  return { kind: captureJobKind, firstBackoffMs, run: (task) => capture(needs, task) }
}

const payloadSchema = z.object({ agentId: z.string(), sessionKey: z.string() })

/** Each step is idempotent: a killed run restarts from the beginning. */
async function capture(needs: TranscriptsRuntime, { payload, signal }: Task): Promise<void> {
  const session = payloadSchema.parse(payload)
  const { background: db } = needs
  const origin = await findOrigin(db, session)
  // The agent may have been removed since.
  if (!origin) return
  const contentHash = await writeTranscript(needs, { ...session, ...origin })
  signal.throwIfAborted()
  const manifest = await transaction(db, async (db) => {
    const transcript = await findHeader(db, session, maxSentenceTailLength)
    return transcript && saveRows(needs, db, transcript)
  })
  if (!manifest || contentHash === undefined) return
  await writeManifest(needs, manifest)
  const now = needs.host.now().toISOString()
  await completeCapture(db, { id: captureIdOf(session), contentHash }, now)
}

async function saveRows(needs: TranscriptsNeeds, db: Db, transcript: TranscriptHeader) {
  const { agentId, sessionKey, sessionId, harness, capturedAt, project } = transcript
  const { createdAt: startedAt, completedAt: endedAt } = transcript
  const identity = { agentId, sessionKey, sessionId, harness, capturedAt }
  const transcriptPath = pathOfTranscripts(harness)
  const links = { project, endedAt, transcriptPath }
  const manifest = await saveManifest(needs, db, { identity, links })
  const turns = await countAllTurns(db, transcript)
  const sentence = findMemorySentence(readLastTurns(transcript.tail, maxSentenceTurns), {
    project,
    harness,
    capturedAt,
    turns,
  })
  const sessionToken = sessionTokenOf(transcript)
  const node = toNode(transcript, sentence.text)
  await saveSummary(db, node)
  await condense(needs, db, node)
  await upsertTranscriptArtifact(db, transcript, {
    ...identity,
    sessionToken,
    project,
    startedAt,
    endedAt,
    sourcePath: `${transcriptPath}#${sessionToken}`,
    sourceKind: 'transcript',
    sourceSha256: transcript.contentHash,
    sourceNodeId: node.id,
    manifestPath: manifest.path,
    memorySentence: sentence.text,
    memorySentenceQuality: sentence.quality,
    updatedAt: needs.host.now().toISOString(),
  })
  return manifest
}

function toNode(transcript: TranscriptHeader, content: CleanText): Summary {
  const { agentId, project, sessionKey, harness, createdAt, capturedAt } = transcript
  return {
    agentId,
    project,
    sessionKey,
    harness,
    content,
    createdAt,
    id: `transcript:${sessionTokenOf(transcript)}`,
    depth: 0,
    kind: 'session',
    sourceType: 'transcript',
    sourceRef: sessionKey,
    tokenCount: countTokens(content),
    earliestAt: [createdAt, capturedAt].toSorted()[0] ?? capturedAt,
    latestAt: capturedAt,
    metaJson: JSON.stringify({ source: 'session-capture' }),
  }
}

/** Deterministic for a session, so repeated captures share one receipt. */
export function captureIdOf({ agentId, sessionKey }: SessionRef): string {
  const digest = createHash('sha256')
    .update(`${agentId}\0${sourceOf(sessionKey)}`)
    .digest('hex')
  return `tcj_${digest.slice(0, 32)}`
}

/** A conversation without a session is identified by its source. */
function sourceOf(sessionKey: string): string {
  return /^(file|inline):/.test(sessionKey) ? sessionKey : `session:${sessionKey}`
}
