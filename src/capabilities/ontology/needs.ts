import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { SecretPolicy } from '../../kernel/redaction/redact-content.ts'
import type { Models } from '../inference/index.ts'
import type { KnowledgeCapability } from '../knowledge/index.ts'
import type { MemoryCapability } from '../memory/index.ts'
import type { TranscriptEvidence } from '../transcripts/index.ts'
import type { KnowledgeConfig } from './config.ts'
import type { EvidenceSource } from './ports.ts'

export interface OntologyOptions {
  readonly db: Db
  /** The lane of background work; by default `db`. */
  readonly background?: Db
  /** Whether Dreaming writes to the graph without a request. */
  readonly isFilled: () => boolean
  readonly host: Host
  readonly log: Pick<Log, 'warn'>
  readonly events: Pick<Events, 'emit' | 'on'>
  readonly models: Pick<Models, 'run' | 'isReady'>
  /** Read on each call: the configuration changes at run time. */
  readonly config: () => KnowledgeConfig
  /** How credentials in stored content are handled. */
  readonly secretPolicy: () => SecretPolicy
  readonly knowledge: Pick<
    KnowledgeCapability,
    'write' | 'subjects' | 'reader' | 'countTotals' | 'countOrphanedLinks' | 'exported'
  >
  readonly memory: Pick<
    MemoryCapability,
    | 'projections'
    | 'countMemories'
    | 'findEvidence'
    | 'listEvidence'
    | 'assertWritable'
    | 'contentHashes'
  >
  readonly transcripts: TranscriptEvidence
}

/** The needs with the members of the extension points. */
export interface OntologyNeeds extends OntologyOptions {
  readonly evidenceSources: Pick<ExtensionPoint<EvidenceSource>, 'list'>
}
