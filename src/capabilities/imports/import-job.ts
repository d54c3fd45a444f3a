export type JobState =
  | 'staging'
  | 'queued'
  | 'inventorying'
  | 'running'
  | 'paused'
  | 'completed'
  | 'completed_with_rejections'
  | 'cancelled'
  | 'failed'

/** One import of up to 25 files. Times are ISO in UTC. */
export interface ImportJob {
  readonly id: string
  readonly kind: 'import'
  readonly agentId: string
  readonly schemaId: string
  readonly adapterVersion: number
  readonly state: JobState
  /** Increases with each control that invalidates a lease. */
  readonly generation: number
  readonly duplicateMode: DuplicateMode
  readonly controlRequest: 'pause' | 'cancel' | null
  readonly leaseToken: string | null
  readonly leaseExpiresAt: string | null
  /** `total` is the sum of the four counts below it. */
  readonly total: number
  readonly imported: number
  readonly duplicate: number
  readonly rejected: number
  readonly pending: number
  readonly error: string | null
  readonly nextAttemptAt: string | null
  readonly startedAt: string | null
  readonly completedAt: string | null
  readonly reconciledAt: string | null
  readonly cleanupState: 'pending' | 'complete' | null
  readonly createdAt: string
  readonly updatedAt: string
}

export const duplicateModes = ['skip', 'replace', 'reimport'] as const
export type DuplicateMode = (typeof duplicateModes)[number]

/** One uploaded file of an import, with its durable progress. */
export interface ImportFile {
  readonly id: string
  readonly jobId: string
  readonly sourceId: string | null
  readonly agentId: string
  readonly ordinal: number
  readonly name: string
  /** Set when the file is sealed. */
  readonly sizeBytes: number | null
  readonly contentHash: string | null
  readonly state: 'staging' | 'ready' | 'inventorying' | 'completed' | 'failed'
  readonly storageState: 'uploading' | 'sealed' | 'purging' | 'purged'
  readonly uploadGeneration: number
  readonly uploadOffset: number
  /** Null until the client declares it. */
  readonly uploadSize: number | null
  /** The checksum chain over the stored chunks. */
  readonly uploadDigest: string
  readonly reservedBytes: number
  /** The position behind the last committed record. */
  readonly checkpointByteOffset: number
  readonly checkpointOrdinal: number
  readonly checkpointLineNumber: number
  /** Null until the lines are counted. */
  readonly recordCount: number | null
  readonly malformedCount: number
  readonly error: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type RecordStatus = 'pending' | 'imported' | 'duplicate' | 'rejected' | 'cancelled'

export type RejectionCode =
  | 'malformed'
  | 'schema_invalid'
  | 'oversized_record'
  | 'canonical_batch_too_large'
  | 'conversation_identity_conflict'

/** These lines have the same outcome in each attempt. */
export const finalRejections: readonly RejectionCode[] = [
  'malformed',
  'schema_invalid',
  'oversized_record',
]

/** One line of a file with its outcome. */
export interface ImportRecord {
  /** `<job>:<file>:<ordinal>` */
  readonly id: string
  readonly jobId: string
  readonly fileId: string
  readonly fileOrdinal: number
  readonly sourceId: string | null
  readonly agentId: string
  readonly ordinal: number
  readonly lineNumber: number
  readonly byteOffset: number
  readonly byteLength: number
  readonly rawHash: string
  readonly status: RecordStatus
  readonly rejectionCode: string | null
  readonly canonicalId: string | null
  readonly canonicalKey: string | null
  readonly externalIdentity: string | null
  readonly conversationFingerprint: string | null
  readonly attemptCount: number
  readonly updatedAt: string
}

export const adapterVersion = 1
export const schemaId = 'svc-export'

/** The worker holds such a job, or takes it next. */
export const activeStates: readonly JobState[] = ['queued', 'inventorying', 'running']
