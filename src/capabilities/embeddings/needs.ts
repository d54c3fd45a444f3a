import type { Caller } from '../../kernel/auth/caller.ts'
import type { Credentials } from '../../kernel/credentials/credentials.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Gate } from '../../kernel/gate/gate.ts'
import type { ProviderCalls } from '../../kernel/health/provider-calls.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { ModelParts } from '../../static-model/index.ts'
import type { EmbeddingsConfig } from './config.ts'
import type { HasVector, MemoryPredicate } from './store/vectors.ts'

export interface EmbeddingsOptions {
  readonly db: Db
  /** The same database with low read priority. */
  readonly background: Db
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  /** Read for each call: the configuration changes at run time. */
  readonly config: () => EmbeddingsConfig
  /** Texts in one background call. */
  readonly batchSize: () => number
  /** Interval of the catch-up job, in milliseconds. */
  readonly pollMs: () => number
  readonly outbound: Pick<Outbound, 'fetch'>
  /** Records calls of other processes and services. Absent: none is recorded. */
  readonly providerCalls?: Pick<ProviderCalls, 'add'>
  /** Base of relative paths in the configuration. */
  readonly workspace: string
  /** Reads the bundled model. */
  readonly readModel: () => Promise<ModelParts>
  readonly credentials: Pick<Credentials, 'resolve'>
  /** Calls of repairs enter it. Absent: they always run. */
  readonly gate?: Pick<Gate, 'enter'>
}

export interface EmbeddingsNeeds extends EmbeddingsOptions {
  memories(): MemoriesPort
}

/** The source of the embedded texts. */
export interface MemoriesPort {
  /** Added, changed or deleted memories of all agents after a revision, in revision order. */
  listChanged(
    db: Db,
    page: { readonly after: number; readonly limit: number },
  ): Promise<ChangedMemory[]>
  /** Texts of memories that are neither deleted nor archived, of all agents. */
  listTexts(db: Db, ids: readonly string[]): Promise<EmbeddableText[]>
  readonly isStored: MemoryPredicate
  /** True for a memory that is neither deleted nor archived. */
  readonly isLive: MemoryPredicate
  /** True for a memory that is not deleted; archived ones are included. */
  readonly isPresent: MemoryPredicate
  /** Reads content hashes by memory id and locks the rows until the transaction ends. */
  lockHashes(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Counts live, unarchived memories of all agents, unchanged since a revision and not processed. */
  countUnprocessed(
    db: Db,
    of: { readonly upTo: number; readonly isProcessed: HasVector },
  ): Promise<number>
  /** Live memories without such a vector, in the order of their revisions. */
  listWithout(
    db: Db,
    of: VectorFilter & { readonly agentId?: string | undefined; readonly limit: number },
  ): Promise<EmbeddableText[]>
  countWithout(
    db: Db,
    of: VectorFilter & { readonly agentId?: string | undefined },
  ): Promise<number>
  /** Current, unarchived memories of all agents and those with a vector of a model, without a scan. */
  countCurrent(db: Db, identity: string): Promise<Coverage>
  /** Counts live, unarchived memories of all agents. */
  countLive(db: Db, hasVector: HasVector): Promise<Coverage>
  /** Counts those of them that another memory has replaced. */
  countSuperseded(db: Db, hasVector: HasVector): Promise<Coverage>
  /** Counts live memories that the caller may read. */
  countReadable(caller: Caller, of: NamespaceFilter & VectorFilter): Promise<Coverage>
  /** Live memories with a vector that the caller may read, newest first. */
  listReadable(caller: Caller, page: Page & VectorFilter): Promise<ExportedMemory[]>
}

export interface ChangedMemory {
  readonly id: string
  readonly contentHash: string
  readonly revision: number
  /** Neither deleted nor archived. */
  readonly live: boolean
}

export interface EmbeddableText {
  readonly id: string
  readonly agentId: string
  readonly content: string
  readonly contentHash: string
}

export interface Coverage {
  readonly total: number
  readonly embedded: number
}

interface VectorFilter {
  readonly hasVector: HasVector
}

/** Default: memories without a namespace. */
interface NamespaceFilter {
  readonly scope?: string | undefined
  readonly allScopes?: boolean | undefined
}

export interface Page extends Pick<NamespaceFilter, 'scope'> {
  readonly limit: number
  readonly offset: number
}

export interface ExportedMemory {
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
