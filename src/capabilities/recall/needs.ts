import type { Caller } from '../../kernel/auth/caller.ts'
import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { EngineQuery, SearchEngine } from '../../search/index.ts'
import type { AgentsCapability } from '../agents/index.ts'
import type { Models } from '../inference/index.ts'
import type { MemoryCapability, SearchRequest } from '../memory/index.ts'
import type { RecallConfig, RecallModelConfig } from './config.ts'

type QueryTraits = Pick<NonNullable<EngineQuery['vector']>, 'identity' | 'kind' | 'baseCosine'>

/** Embeds queries and stores the vectors of memories; never throws. */
interface EmbeddingsPort {
  /** Undefined after a failure; `isLate` after the deadline. */
  embedQuery(
    text: string,
  ): Promise<
    | (QueryTraits & { readonly vector: Float32Array })
    | { readonly isLate: true; readonly identity?: undefined; readonly vector?: undefined }
    | undefined
  >
  /** The vector of a short text; undefined if the model does not answer at once. */
  embedNow(text: string): Float32Array | undefined
  vectorOf(memoryId: string): Promise<Float32Array | undefined>
  /** Identity of the active model. */
  activeIdentity(): string
}

/** A memory found through the knowledge graph, before the read policy applies. */
interface GraphHit {
  readonly id: string
  /** 0 to 1. */
  readonly score: number
  readonly source: 'structured' | 'traversal'
  readonly reason: string
  /** The text of the reading by which the question means the memory. */
  readonly reading?: string | undefined
}

/** The query with another name of what it names: an entity for its alias, or the end of a link. */
export interface GraphReading {
  readonly text: string
  /** 1 for the same entity; less for another one. */
  readonly share: number
  readonly reason: string
}

export interface GraphAnswer {
  readonly hits: readonly GraphHit[]
  /** The entities that the query names, with their most important values. */
  readonly entities: readonly DescribedEntity[]
  readonly readings: readonly GraphReading[]
}

/** `partly`: some of the claims are superseded. */
export type Currentness = 'current' | 'partly' | 'superseded'

/** What the graph knows of an entity that a query names. */
export interface DescribedEntity {
  readonly id: string
  readonly name: string
  readonly type: string
  /** Whether a name or an alias occurs as a whole. */
  readonly isExact: boolean
  readonly aspects: readonly {
    readonly name: string
    readonly attributes: readonly {
      readonly claimKey: string
      readonly content: string
      readonly status: string
      readonly importance: number
    }[]
  }[]
}

/** A capability that searches the knowledge graph within the time limit of the stage. */
export interface GraphSource {
  search(query: string, request: Pick<SearchRequest, 'readScope' | 'limit'>): Promise<GraphAnswer>
  /** Whether the claims that memories support are current, for those with claims. */
  listCurrentness?(
    readScope: ReadScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Currentness>>
  /** The memories that support what replaced the claims of these memories, the newest first. */
  listSuccessors?(
    readScope: ReadScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
  /** The memories that derived memories cite. */
  listCited?(
    readScope: ReadScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
}

/** A row of a collection that is not memory. */
export interface CollectionRow {
  /** As in the index. */
  readonly id: string
  /** As callers see it. */
  readonly shownId: string
  readonly agentId: string
  readonly source: string
  readonly sourceId: string
  readonly sourcePath: string
  readonly sourceName: string
  readonly heading: string
  readonly content: string
  readonly createdAt: string
}

/** Text of others that recall searches next to memories, with an index and statistics of its own. */
export interface SearchCollection {
  readonly name: 'source_chunks'
  readonly engine: SearchEngine
  /** Whether no row was ever saved, so that no query needs a vector. */
  isEmpty(): boolean
  /** The rows of these ids that the reader may see, in any order. */
  listRows(readScope: ReadScope, ids: readonly string[]): Promise<readonly CollectionRow[]>
}

/** A session whose transcript contains the words. */
export interface TranscriptHit {
  readonly sessionKey: string
  readonly project: string | null
  readonly updatedAt: string
  /** The text around the first word, redacted. */
  readonly text: string
}

/** Summary of one or several sessions; the times are ISO. */
export interface SessionSummary {
  readonly id: string
  readonly sessionKey: string | null
  readonly project: string | null
  readonly content: string
  readonly earliestAt: string
  readonly latestAt: string
}

interface TranscriptsPort {
  /** Searches the agent's own sessions except the current one; best first. */
  search(
    caller: Caller,
    query: {
      readonly query: string
      readonly project: string | undefined
      readonly currentSessionKey: string | undefined
      readonly excludedSessions: readonly string[] | undefined
      /** Restricts to sessions that overlap the range; the end is exclusive. */
      readonly during: { readonly start: string; readonly end: string } | undefined
      readonly limit: number
    },
  ): Promise<readonly TranscriptHit[]>
  /** Summaries of sessions that overlap the range (end exclusive), latest first. */
  listSummaries(
    filter: {
      readonly agentId: string
      readonly sessionKey: string | undefined
      readonly project: string | undefined
      readonly during: { readonly start: string; readonly end: string }
    },
    limit: number,
  ): Promise<readonly SessionSummary[]>
}

export interface RecallNeeds extends RecallOptions {
  readonly graph: Pick<ExtensionPoint<GraphSource>, 'name' | 'list'>
  readonly collections: Pick<ExtensionPoint<SearchCollection>, 'name' | 'list'>
}

export interface RecallOptions {
  readonly db: Db
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  /** Read for each call, because settings change at run time. */
  readonly config: () => RecallConfig
  /** Read for each call. */
  readonly modelConfig: () => RecallModelConfig
  readonly agents: Pick<AgentsCapability, 'readScopeOf'>
  readonly engine: SearchEngine
  readonly embeddings: EmbeddingsPort
  readonly transcripts: TranscriptsPort
  readonly models: Pick<Models, 'run' | 'isReady'>
  readonly memory: Pick<
    MemoryCapability,
    'search' | 'shownCharacters' | 'assertWritable' | 'remember'
  >
}
