import type { LiveConfig } from '../../kernel/config/live-config.ts'
import type { Database, Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Gate } from '../../kernel/gate/gate.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { SecretPolicy } from '../../kernel/redaction/redact-content.ts'
import type { AgentsCapability } from '../agents/index.ts'
import type { Models } from '../inference/index.ts'
import type { KnowledgeCapability } from '../knowledge/index.ts'
import type { MemoryCapability } from '../memory/index.ts'
import type { OntologyService } from '../ontology/index.ts'
import type { SessionsCapability } from '../sessions/index.ts'
import type { TranscriptChanges } from '../transcripts/index.ts'
import type { DreamingConfig } from './config.ts'
import type { PassWriter } from './pass.ts'
import type { RulesThread } from './rules-port.ts'

/** What the daemon passes. */
export interface DreamingOptions extends SharedNeeds {
  readonly database: Pick<Database, 'file'>
  readonly config: Pick<LiveConfig, 'read' | 'onChange'>
  readonly ontology: { readonly service: OntologyService }
  readonly inference: { readonly models: ModelPort }
}

/** The models that read evidence after the rules. */
type ModelPort = Pick<Models, 'run' | 'isReady' | 'estimateCost'>

interface SharedNeeds {
  readonly db: Db
  /** The same rows for background work. */
  readonly background: Db
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit' | 'on'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  /** A pass enters it. */
  readonly gate: Gate
  readonly secretPolicy: () => SecretPolicy
  readonly agents: Pick<AgentsCapability, 'listIds'>
  readonly memory: Pick<MemoryCapability, 'changes' | 'findEvidence' | 'assertWritable' | 'search'>
  readonly transcripts: TranscriptChanges
  readonly sessions: Pick<SessionsCapability, 'wasBypassed'>
  readonly knowledge: Pick<
    KnowledgeCapability,
    'candidates' | 'ledger' | 'overlayMetadata' | 'reader' | 'subjects'
  >
}

/** The needs with what the capability shares between its parts. */
export interface DreamingNeeds extends SharedNeeds {
  /** Read for each pass: settings change at run time. */
  readonly config: () => DreamingConfig
  readonly isFrozen: () => boolean
  /** No other daemon uses this database. */
  readonly exclusive: boolean
  readonly models: ModelPort
  readonly ontology: OntologyService
  /** Of this daemon. */
  readonly owner: string
  /** The pass that this daemon runs. */
  readonly active: ActivePass
  readonly rules: RulesThread
}

/** At most one pass runs in a daemon. */
export interface ActivePass {
  current:
    | {
        readonly passId: string
        readonly agentId: string
        readonly control: AbortController
        /** While the model of the pass works: what callers stage with it. */
        writer?: PassWriter | undefined
      }
    | undefined
}
