import type { EvidenceDependant } from '../../kernel/capability/capability.ts'
import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Credentials } from '../../kernel/credentials/credentials.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { FileLocks } from '../../kernel/files/file-lock.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { ChildLedger } from '../../kernel/process/child-ledger.ts'
import type { DreamingCapability } from '../dreaming/index.ts'
import type { EmbeddingsCapability } from '../embeddings/index.ts'
import type { Extractor } from '../extraction/index.ts'
import type { SourceGraph } from '../knowledge/index.ts'
import type { SearchCollection } from '../recall/index.ts'
import type { SourcesConfig } from './config.ts'

export interface SourcesOptions {
  readonly db: Db
  /** The same rows for background work. */
  readonly background: Db
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  /** The workspace. */
  readonly folder: string
  /** The home of the user, for paths that begin with `~`. */
  readonly home: string
  /** Read for each call, because settings change at run time. */
  readonly config: () => SourcesConfig
  /** Commands that open dialogs of the desktop. */
  readonly children: Pick<ChildLedger, 'add'>
  readonly variables: () => Readonly<Record<string, string>>
  readonly outbound: Pick<Outbound, 'fetch' | 'connect'>
  /** `outbound.allow`: origins of the own network that may be read. */
  readonly allowedOrigins: () => readonly string[]
  readonly credentials: Pick<Credentials, 'resolve'>
  readonly embeddings: Pick<EmbeddingsCapability, 'embedTexts' | 'activeIdentity'>
  readonly extractor: Extractor
  readonly locks: FileLocks
  readonly graph: SourceGraph
  readonly attention: Pick<DreamingCapability['attention'], 'enqueue' | 'drop'>
  readonly evidenceDependants: Pick<ExtensionPoint<EvidenceDependant>, 'list'>
  /** The index of the chunks. */
  readonly engine: SearchCollection['engine']
}
