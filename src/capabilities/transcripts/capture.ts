import { z } from 'zod'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import type { JobKind, Task } from '../../kernel/jobs/kind.ts'
import type { CleanText } from '../../kernel/redaction/clean-text.ts'
import { captureIdOf, captureKind } from './capture-record.ts'
import { condense } from './condense.ts'
import { countAllTurns } from './count-turns.ts'
import { pathOfTranscripts } from './files/transcript-file.ts'
import type { Kept } from './keep-snapshot.ts'
import { keepSummary } from './keep-summary.ts'
import { keepManifest, writeManifest } from './manifest.ts'
import { findMemorySentence, weighedCharacters, weighedTurns } from './memory-sentence.ts'
import type { TranscriptsNeeds, TranscriptsRuntime } from './needs.ts'
import { upsertArtifactOf } from './store/artifacts.ts'
import { completeCapture, findCapture, upsertCapture } from './store/captures.ts'
import { findOrigin, findOutline } from './store/transcripts.ts'
import { countTokens, type Summary } from './summary.ts'
import { type Outline, readLastTurns, sessionTokenOf } from './transcript.ts'
import { writeTranscript } from './write-transcript.ts'

const firstBackoffMs = 30_000
const mismatch =
  'transcript_mismatch: a complete transcript of this session is there, and this one tells another course'

/**
 * Has the transcript written to its files, within the transaction that has kept it. Gives the id of
 * the receipt: one for each session, opened anew when there is more to write. Refuses `queue_full`.
 */
export async function enqueueCapture(
  { host, jobs, config }: Pick<TranscriptsNeeds, 'host' | 'jobs' | 'config'>,
  db: Db,
  { transcript, outcome }: Kept,
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
        ...{
          kind: captureKind,
          agentId,
          subject: `session:${sessionKey}`,
          maxAttempts: config().captureAttempts,
        },
        payload: { agentId, sessionKey },
        dedupeKey: `${id}:${contentHash}`,
      })
  const now = host.now().toISOString()
  await upsertCapture(db, {
    ...{ id, agentId, sessionKey, contentHash, jobId: job?.id ?? null, completedAt: null },
    problem: isMismatch ? mismatch : null,
    ...{ createdAt: now, updatedAt: now },
  })
  return id
}

export function captureJob(needs: TranscriptsRuntime): JobKind {
  return { kind: captureKind, firstBackoffMs, run: (task) => capture(needs, task) }
}

const payloadOf = z.object({ agentId: z.string(), sessionKey: z.string() })

/** Each step may be done twice: a run that was killed is done again from its beginning. */
async function capture(needs: TranscriptsRuntime, { payload, signal }: Task): Promise<void> {
  const session = payloadOf.parse(payload)
  const { background: db } = needs
  const origin = await findOrigin(db, session)
  // Its agent may have gone since.
  if (!origin) return
  const contentHash = await writeTranscript(needs, { ...session, ...origin })
  signal.throwIfAborted()
  const manifest = await transaction(db, async (db) => {
    const transcript = await findOutline(db, session, weighedCharacters)
    return transcript && record(needs, db, transcript)
  })
  if (!manifest || contentHash === undefined) return
  await writeManifest(needs, manifest)
  const now = needs.host.now().toISOString()
  await completeCapture(db, { id: captureIdOf(session), contentHash }, now)
}

async function record(needs: TranscriptsNeeds, db: Db, transcript: Outline) {
  const { agentId, sessionKey, sessionId, harness, capturedAt, project } = transcript
  const { createdAt: startedAt, completedAt: endedAt, ending, contentHash } = transcript
  const sessionToken = sessionTokenOf(transcript)
  const sourcePath = `${pathOfTranscripts(harness)}#${sessionToken}`
  const manifest = await keepManifest(needs, db, {
    known: { agentId, sessionKey, sessionId, harness, capturedAt },
    linked: { project, endedAt, transcriptPath: pathOfTranscripts(harness) },
  })
  const sentence = findMemorySentence(readLastTurns(ending, weighedTurns), {
    ...{ project, harness, capturedAt, turns: await countAllTurns(db, transcript) },
  })
  const node = toNode(transcript, sentence.text)
  await keepSummary(db, node)
  await condense(needs, db, node)
  await upsertArtifactOf(db, transcript, {
    ...{ agentId, sessionKey, sessionId, sessionToken, harness, project },
    ...{ capturedAt, startedAt, endedAt, sourcePath },
    ...{ sourceKind: 'transcript', sourceSha256: contentHash, sourceNodeId: node.id },
    manifestPath: manifest.path,
    memorySentence: sentence.text,
    memorySentenceQuality: sentence.quality,
    updatedAt: needs.host.now().toISOString(),
  })
  return manifest
}

function toNode(transcript: Outline, content: CleanText): Summary {
  const { agentId, project, sessionKey, harness, createdAt, capturedAt } = transcript
  return {
    ...{ agentId, project, sessionKey, harness, content, createdAt },
    id: `transcript:${sessionTokenOf(transcript)}`,
    ...{ depth: 0, kind: 'session', sourceType: 'transcript', sourceRef: sessionKey },
    tokenCount: countTokens(content),
    earliestAt: [createdAt, capturedAt].toSorted()[0] ?? capturedAt,
    latestAt: capturedAt,
    metaJson: JSON.stringify({ source: 'session-capture' }),
  }
}
