import type { Caller } from '../../kernel/auth/caller.ts'
import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { SearchEngine } from '../../search/index.ts'
import type { AgentsCapability } from '../agents/index.ts'
import type { MemoryCapability, SearchRequest } from '../memory/index.ts'
import type { RecallConfig } from './config.ts'

/** Who makes vectors of questions and keeps those of memories; neither ever throws. */
interface EmbeddingsPort {
  /** Undefined when there is none in time. */
  embedQuery(
    text: string,
  ): Promise<{ readonly identity: string; readonly vector: Float32Array } | undefined>
  vectorOf(memoryId: string): Promise<Float32Array | undefined>
  /** The model whose vectors count now. */
  activeIdentity(): string
}

/** A memory that the graph of knowledge leads to. Who may read it is not decided there. */
interface Linked {
  readonly id: string
  /** 0 to 1. */
  readonly score: number
  readonly source: 'structured' | 'traversal'
  readonly reason: string
}

/** A capability that finds memories by the knowledge graph. It has the time limit of its stage. */
export interface GraphSource {
  search(
    query: string,
    request: Pick<SearchRequest, 'readScope' | 'limit'>,
  ): Promise<readonly Linked[]>
}

/** A session in which the words were found. */
export interface Spoken {
  readonly sessionKey: string
  readonly project: string | null
  readonly updatedAt: string
  /** Around the first of the words, without anything secret. */
  readonly text: string
}

/** What a session or several were about; the times are ISO. */
export interface SessionSummary {
  readonly id: string
  readonly sessionKey: string | null
  readonly project: string | null
  readonly content: string
  readonly earliestAt: string
  readonly latestAt: string
}

interface TranscriptsPort {
  /** In the agent's own sessions but the one that asks; the best first. */
  search(
    caller: Caller,
    asked: {
      readonly query: string
      readonly project: string | undefined
      readonly currentSessionKey: string | undefined
      /** Only in those that overlap it; the end is exclusive. */
      readonly during: { readonly start: string; readonly end: string } | undefined
      readonly limit: number
    },
  ): Promise<readonly Spoken[]>
  /** Of those that overlap the range, whose end is exclusive; the latest first. */
  listSummaries(
    of: {
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
}

export interface RecallOptions {
  readonly db: Db
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  /** Asked anew for each call: the configuration changes while the service runs. */
  readonly config: () => RecallConfig
  readonly agents: Pick<AgentsCapability, 'readScopeOf'>
  readonly engine: SearchEngine
  readonly embeddings: EmbeddingsPort
  readonly transcripts: TranscriptsPort
  readonly memory: Pick<MemoryCapability, 'search' | 'shownCharacters' | 'assertWritable'>
}
