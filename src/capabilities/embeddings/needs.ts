import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { ModelParts } from '../../static-model/index.ts'
import type { EmbeddingsConfig } from './config.ts'
import type { HasVector, IsKept } from './store/vectors.ts'

export interface EmbeddingsOptions {
  readonly db: Db
  /** The same rows; what is read through it never stands before a request's reads. */
  readonly background: Db
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  /** Asked anew for each call: the configuration changes while the service runs. */
  readonly config: () => EmbeddingsConfig
  /** How many texts go to a provider at once in the background. */
  readonly batchSize: () => number
  /** Milliseconds between two looks for memories without a vector. */
  readonly pollMs: () => number
  readonly outbound: Pick<Outbound, 'fetch'>
  /** Paths of the configuration are within it. */
  readonly workspace: string
  /** Reads the model that comes with the package. */
  readonly readModel: () => Promise<ModelParts>
  /** The value of a variable that the configuration names. */
  readonly variable: (name: string) => string | undefined
  /** The same of a secret; absent where none are kept. */
  readonly secret?: (name: string) => Promise<string | undefined>
}

export interface EmbeddingsNeeds extends EmbeddingsOptions {
  memories(): MemoriesPort
}

/** Those who keep memories. */
export interface MemoriesPort {
  /** Of every agent: what was added, changed or deleted above a revision, in the order of revisions. */
  listChanged(db: Db, page: { readonly after: number; readonly limit: number }): Promise<Changed[]>
  /** Of those that are neither deleted nor archived, whoever may read them. */
  listWords(db: Db, ids: readonly string[]): Promise<Words[]>
  readonly isKept: IsKept
  /** The same, of one that is neither deleted nor archived. */
  readonly isLive: IsKept
  /** The hash by memory of those that are there; they stay as they are until the transaction ends. */
  lockHashes(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Live and not archived, of every agent, not changed since a revision, and not settled. */
  countUnsettled(
    db: Db,
    of: { readonly upTo: number; readonly isSettled: HasVector },
  ): Promise<number>
  /** Live and not archived, of every agent. */
  countLive(db: Db, hasVector: HasVector): Promise<Coverage>
  /** Live ones that the caller may read. */
  countReadable(caller: Caller, of: Namespace & WithVector): Promise<Coverage>
  /** Live ones that the caller may read and that have a vector, the newest first. */
  listReadable(caller: Caller, page: Page & WithVector): Promise<Exported[]>
}

export interface Changed {
  readonly id: string
  readonly contentHash: string
  readonly revision: number
  /** Neither deleted nor archived. */
  readonly live: boolean
}

export interface Words {
  readonly id: string
  readonly agentId: string
  readonly content: string
  readonly contentHash: string
}

export interface Coverage {
  readonly total: number
  readonly embedded: number
}

interface WithVector {
  readonly hasVector: HasVector
}

/** Which memories are told of: those in no namespace, unless one is named or all are asked for. */
interface Namespace {
  readonly scope?: string | undefined
  readonly allScopes?: boolean | undefined
}

export interface Page extends Pick<Namespace, 'scope'> {
  readonly limit: number
  readonly offset: number
}

export interface Exported {
  readonly id: string
  readonly content: string
  readonly contentHash: string
  readonly who: string
  readonly importance: number
  readonly type: string
  readonly tags: readonly string[]
  readonly pinned: boolean
  readonly sourceType: string
  readonly sourceId: string | null
  readonly createdAt: string
}
