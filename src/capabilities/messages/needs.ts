import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { SecretPolicy } from '../../kernel/redaction/redact-content.ts'
import type { AgentsCapability } from '../agents/index.ts'
import type { SessionsCapability } from '../sessions/index.ts'

export interface MessagesNeeds {
  readonly db: Db
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit' | 'on'>
  readonly outbound: Pick<Outbound, 'fetch'>
  /** Origins that messages may be delivered to. Read for each call. */
  readonly allowedOrigins: () => readonly string[]
  readonly secretPolicy: () => SecretPolicy
  readonly agents: Pick<AgentsCapability, 'readScopeOf'>
  readonly sessions: Pick<SessionsCapability, 'assertInScope' | 'listActive' | 'listPresence'>
}
