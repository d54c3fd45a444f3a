import type { Db } from '../../../kernel/db/database.ts'
import type { ImportFile, ImportJob, ImportRecord } from '../import-job.ts'

/** A stored part of a file: 64 KiB, the last one may be shorter. */
export interface ChunkRow {
  readonly agentId: string
  readonly fileId: string
  readonly generation: number
  readonly byteOffset: number
  /** SHA-256 of the content. */
  readonly checksum: string
  readonly content: Uint8Array
}

interface CapacityRow {
  readonly id: number
  readonly reservedBytes: number
}

interface AttemptRow {
  readonly recordId: string
  readonly attempt: number
  readonly agentId: string
  readonly status: string
  readonly rejectionCode: string | null
  readonly createdAt: string
}

/** Identity of an imported conversation; it stays after a removal. */
export interface IdentityRow {
  readonly agentId: string
  readonly externalIdentity: string
  readonly canonicalKey: string
  readonly conversationFingerprint: string
  readonly canonicalId: string
  readonly ownerSourceId: string | null
  readonly ownerRecordId: string
  readonly state: 'committed' | 'removed'
  readonly createdAt: string
  readonly updatedAt: string
}

/** The exact words of an imported conversation. */
export interface ConversationRow {
  readonly agentId: string
  readonly canonicalId: string
  readonly lineId: string
  readonly sourceAgentId: string
  readonly harness: string
  readonly sessionKey: string
  /** The key under which session search finds it; null without a turn. */
  readonly storedKey: string | null
  readonly project: string | null
  readonly timestamp: string
  /** The instant of the timestamp, in UTC. */
  readonly at: string
  /** JSON of the messages with role and content. */
  readonly messages: string
  readonly fingerprint: string
  readonly ownerSourceId: string | null
}

type Tables = {
  transcriptImportJobs: ImportJob
  transcriptImportFiles: ImportFile
  transcriptImportRecords: ImportRecord
  sourceImportRecordAttempts: AttemptRow
  sourceImportChunks: ChunkRow
  sourceImportCapacity: CapacityRow
  transcriptImportConversations: IdentityRow
  importedConversations: ConversationRow
}

export const tables = (db: Db) => db.withTables<Tables>()

/** Tables whose rows belong to an agent. */
export const ownedTables = [
  'transcriptImportJobs',
  'transcriptImportFiles',
  'transcriptImportRecords',
  'sourceImportRecordAttempts',
  'sourceImportChunks',
  'transcriptImportConversations',
  'importedConversations',
] as const satisfies readonly (keyof Tables)[]
