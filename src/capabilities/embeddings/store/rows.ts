import type { Generated } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { ModelIdentity } from '../embedder.ts'

export interface VectorRow {
  readonly revision: Generated<number>
  readonly memoryId: string
  readonly agentId: string
  readonly identity: string
  readonly passage: number
  readonly dims: number
  readonly contentHash: string
  readonly vector: Uint8Array
  readonly createdAt: string
}

/** `active` answers searches; `building` replaces it when complete; vectors of `retired` are deleted. */
type ModelState = 'active' | 'building' | 'retired'

export interface ModelRow extends ModelIdentity {
  readonly identity: string
  readonly state: ModelState
  /** Memories changed up to this revision are processed. */
  readonly seenRevision: number
  readonly createdAt: string
  readonly promotedAt: string | null
}

export interface FailureRow {
  readonly identity: string
  readonly memoryId: string
  readonly agentId: string
  readonly contentHash: string
  readonly reason: string
  readonly attempts: number
  /** Null if there is no further retry. */
  readonly retryAt: string | null
  readonly failedAt: string
}

export interface StoredProjection {
  /** Agent, project and namespace of the caller. */
  readonly scope: string
  readonly dimensions: number
  /** Hash of the input vectors. */
  readonly fingerprint: string
  /** JSON. */
  readonly payload: string
  readonly createdAt: string
}

type Tables = {
  memoryVectors: VectorRow
  embeddingModels: ModelRow
  embeddingFailures: FailureRow
  umapCache: StoredProjection
}

export const tables = (db: Db) => db.withTables<Tables>()
