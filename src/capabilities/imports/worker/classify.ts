import type { Db } from '../../../kernel/db/database.ts'
import type { TranscriptImports } from '../../transcripts/index.ts'
import { identify } from '../conversation.ts'
import { toCapturedLine } from '../export/captured-line.ts'
import type { ImportFile, RejectionCode } from '../import-job.ts'
import type { ImportsNeeds } from '../needs.ts'
import { insertConversation, listIdentities, upsertIdentity } from '../store/records.ts'
import type { ReadConversation } from '../threads/record-worker.ts'
import type { RawLine } from './split-lines.ts'

export interface Outcome {
  readonly status: 'imported' | 'duplicate' | 'rejected'
  readonly rejectionCode?: RejectionCode
}

/** The cleaned texts of conversations by their canonical ids. */
export type Projection = ReadonlyMap<string, Awaited<ReturnType<TranscriptImports['readInput']>>>

interface Candidate {
  readonly conversation: ReadConversation
  readonly line: RawLine
  readonly owner: { readonly file: ImportFile; readonly now: string }
  readonly projections: Projection
}

const duplicate: Outcome = { status: 'duplicate' }
const conflict: Outcome = { status: 'rejected', rejectionCode: 'conversation_identity_conflict' }

/** Decides by identity and content, and stores a new conversation. */
export async function classify(
  needs: ImportsNeeds,
  db: Db,
  candidate: Candidate,
): Promise<Outcome> {
  const { conversation } = candidate
  const { externalIdentity, fingerprint } = conversation
  const [known] = await listIdentities(db, needs.agentId, [externalIdentity])
  if (known && known.conversationFingerprint !== fingerprint) return conflict
  if (known?.state === 'committed') return duplicate
  const captured = await findCapturedFingerprint(needs, db, conversation)
  if (captured !== undefined) return captured === fingerprint ? duplicate : conflict
  await save(needs, db, candidate)
  return { status: 'imported' }
}

/** The fingerprint of a session that this daemon captured itself, or undefined. */
async function findCapturedFingerprint(
  { agentId, transcripts }: ImportsNeeds,
  db: Db,
  { agentId: named, harness, sessionKey }: ReadConversation,
): Promise<string | undefined> {
  if (named !== agentId) return undefined
  const captured = await transcripts.imports.findCaptured(db, { agentId, sessionKey })
  return captured?.harness === harness ? identify(toCapturedLine(captured)).fingerprint : undefined
}

async function save(
  { agentId, transcripts }: ImportsNeeds,
  db: Db,
  { conversation, line, owner, projections }: Candidate,
): Promise<void> {
  const { file, now } = owner
  const { canonicalId, externalIdentity, fingerprint, sessionKey, at } = conversation
  const { id: lineId, agentId: sourceAgentId, harness, project, timestamp, messages } = conversation
  const storedKey = await transcripts.imports.save(db, {
    agentId,
    at,
    harness,
    project,
    keys: [sessionKey, `${sessionKey}#import-${externalIdentity.slice(0, 8)}`],
    read: projections.get(canonicalId),
  })
  await insertConversation(db, {
    agentId,
    canonicalId,
    lineId,
    sourceAgentId,
    harness,
    sessionKey,
    storedKey,
    project,
    timestamp,
    at,
    messages,
    fingerprint,
    ownerSourceId: file.sourceId,
  })
  await upsertIdentity(db, {
    agentId,
    externalIdentity,
    canonicalId,
    canonicalKey: canonicalId,
    conversationFingerprint: fingerprint,
    ownerSourceId: file.sourceId,
    ownerRecordId: `${file.jobId}:${file.id}:${line.ordinal}`,
    state: 'committed',
    createdAt: now,
    updatedAt: now,
  })
}
