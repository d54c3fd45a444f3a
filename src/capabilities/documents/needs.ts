import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { SecretPolicy } from '../../kernel/redaction/redact-content.ts'
import type { AgentsCapability } from '../agents/index.ts'
import type { Extractor } from '../extraction/index.ts'
import type { MemoryCapability } from '../memory/index.ts'
import type { DocumentConfig } from './config.ts'
import type { ConnectorsPort } from './ports.ts'

export interface DocumentsNeeds {
  readonly db: Db
  readonly background: Db
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  readonly jobs: Pick<Jobs, 'enqueue' | 'cancel' | 'find' | 'countsOf' | 'wake'>
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly config: () => DocumentConfig
  readonly secretPolicy: () => SecretPolicy
  readonly agents: Pick<AgentsCapability, 'registering'>
  readonly extraction: { readonly extractor: Extractor }
  readonly memory: Pick<MemoryCapability, 'documentChunks' | 'assertWritable'>
}

/** What adding a document uses. */
export interface AddNeeds extends DocumentsNeeds {
  readonly connectors: Pick<ExtensionPoint<ConnectorsPort>, 'list'>
}
