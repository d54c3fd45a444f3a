import type { Db } from '../../../kernel/db/database.ts'
import type { TranscriptImports } from '../../transcripts/index.ts'
import { identify, toCapturedLine } from '../conversation.ts'
import type { ImportFile, RejectionCode } from '../import-job.ts'
import type { ImportsNeeds } from '../needs.ts'
import { insertConversations, listIdentities, upsertIdentities } from '../store/records.ts'
import type { IdentityRow } from '../store/rows.ts'
import type { ReadConversation, ReadRecord } from '../threads/record-worker.ts'
import type { LinePosition } from './split-lines.ts'

export interface Outcome {
  readonly status: 'imported' | 'duplicate' | 'rejected'
  readonly rejectionCode?: RejectionCode
}

export type Parsed = ReadRecord & { readonly line: LinePosition }

type Read = Awaited<ReturnType<TranscriptImports['readInlineTexts']>>[number]

/** The cleaned texts of conversations by their canonical ids. */
export type Projection = ReadonlyMap<string, Read>

interface Imported {
  readonly fresh: readonly Fresh[]
  readonly owner: { readonly file: ImportFile; readonly now: string }
  readonly projections: Projection
}

const duplicate: Outcome = { status: 'duplicate' }
const conflict: Outcome = { status: 'rejected', rejectionCode: 'conversation_identity_conflict' }

interface Classified {
  readonly outcomes: readonly Outcome[]
  /** The conversations that are imported. */
  readonly fresh: readonly Fresh[]
}

/** Decides by identity and content, in order. Writes nothing. */
export async function classify(
  needs: ImportsNeeds,
  db: Db,
  parsed: readonly Parsed[],
): Promise<Classified> {
  const conversations = parsed.flatMap(({ conversation }) => conversation ?? [])
  const identities = conversations.map(({ externalIdentity }) => externalIdentity)
  const [stored, captured] = await Promise.all([
    listIdentities(db, needs.agentId, identities),
    findCaptured(needs, db, conversations),
  ])
  const known = new Map(
    stored.map((row) => [
      row.externalIdentity,
      { fingerprint: row.conversationFingerprint, isCommitted: row.state === 'committed' },
    ]),
  )
  const fresh: Fresh[] = []
  const outcomes = parsed.map(({ conversation, code, line }): Outcome => {
    if (!conversation) return { status: 'rejected', rejectionCode: code }
    const { externalIdentity, fingerprint } = conversation
    const before = known.get(externalIdentity)
    if (before && before.fingerprint !== fingerprint) return conflict
    if (before?.isCommitted) return duplicate
    const own = captured.get(externalIdentity)
    if (own !== undefined) return own === fingerprint ? duplicate : conflict
    known.set(externalIdentity, { fingerprint, isCommitted: true })
    fresh.push({ conversation, line })
    return { status: 'imported' }
  })
  return { outcomes, fresh }
}

interface Fresh {
  readonly conversation: ReadConversation
  readonly line: LinePosition
}

/** Fingerprints of sessions that this daemon captured itself, by their identity. */
async function findCaptured(
  { agentId, transcripts }: ImportsNeeds,
  db: Db,
  conversations: readonly ReadConversation[],
): Promise<ReadonlyMap<string, string>> {
  const own = conversations.filter((one) => one.agentId === agentId)
  const keys = [...new Set(own.map(({ sessionKey }) => sessionKey))]
  const captured = await transcripts.imports.findCaptured(db, agentId, keys)
  const lines = captured.map((session) => ({
    key: session.sessionKey,
    harness: session.harness,
    fingerprint: identify(toCapturedLine(session)).fingerprint,
  }))
  return new Map(
    own.flatMap(({ externalIdentity, sessionKey, harness }) => {
      const line = lines.find((one) => one.key === sessionKey && one.harness === harness)
      return line ? [[externalIdentity, line.fingerprint] as const] : []
    }),
  )
}

/** Stores new conversations with their texts and identities. */
export async function saveFresh(
  { agentId, transcripts }: ImportsNeeds,
  db: Db,
  { fresh, owner, projections }: Imported,
): Promise<void> {
  if (fresh.length === 0) return
  const storedKeys = await transcripts.imports.save(
    db,
    fresh.map(({ conversation }) => {
      const { canonicalId, externalIdentity, sessionKey, at, harness, project } = conversation
      const keys = [sessionKey, `${sessionKey}#import-${externalIdentity.slice(0, 8)}`]
      return { agentId, at, harness, project, keys, read: projections.get(canonicalId) }
    }),
  )
  const conversations = fresh.map(({ conversation }, at) =>
    toRow(conversation, storedKeys[at] ?? null, owner.file),
  )
  await Promise.all([
    insertConversations(db, conversations),
    upsertIdentities(db, toIdentities(agentId, owner, fresh)),
  ])
}

function toIdentities(
  agentId: string,
  { file, now }: Imported['owner'],
  fresh: readonly Fresh[],
): IdentityRow[] {
  return fresh.map(({ conversation: { externalIdentity, canonicalId, fingerprint }, line }) => ({
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
  }))
}

function toRow(conversation: ReadConversation, storedKey: string | null, file: ImportFile) {
  const { canonicalId, fingerprint, sessionKey, at } = conversation
  const { id: lineId, agentId: sourceAgentId, harness, project, timestamp, messages } = conversation
  return {
    agentId: file.agentId,
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
  }
}
