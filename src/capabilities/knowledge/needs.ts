import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { AgentsCapability } from '../agents/index.ts'
import type { MemoryCapability } from '../memory/index.ts'
import type { KnowledgeConfig } from './config.ts'
import type { EmptyGraphs } from './focal/empty-graphs.ts'
import type { ErasureListener, OverlayMetadata } from './ports.ts'

export interface KnowledgeNeeds {
  readonly db: Db
  /** The lane of background work; by default `db`. */
  readonly background?: Db
  readonly host: Host
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly agents: Pick<AgentsCapability, 'readScopeOf' | 'listSharing'>
  readonly memory: Pick<
    MemoryCapability,
    'projections' | 'selection' | 'unlinked' | 'vectorSources'
  >
  /** Read for each call, because settings change at run time. */
  readonly config: () => KnowledgeConfig
}

/** The needs with the members of the extension points, and the state of the capability. */
export interface KnowledgeContext extends KnowledgeNeeds {
  readonly emptyGraphs: EmptyGraphs
  readonly erasures: Pick<ExtensionPoint<ErasureListener>, 'list'>
  readonly overlayMetadata: Pick<ExtensionPoint<OverlayMetadata>, 'list'>
}
