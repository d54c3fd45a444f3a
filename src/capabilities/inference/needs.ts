import type { Credentials } from '../../kernel/credentials/credentials.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Gate } from '../../kernel/gate/gate.ts'
import type { ProviderCalls } from '../../kernel/health/provider-calls.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { ChildLedger } from '../../kernel/process/child-ledger.ts'
import type { ConcurrencyCounts } from './run/concurrency.ts'
import type { ReadLogin } from './runtime/credential.ts'
import type { RawSettings } from './runtime/live-settings.ts'
import type { CreateTarget } from './targets/target.ts'

export interface InferenceNeeds {
  readonly db: Db
  readonly host: Host
  readonly children: Pick<ChildLedger, 'add'>
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  readonly gate: Pick<Gate, 'enter' | 'isOpen'>
  readonly outbound: Pick<Outbound, 'open'>
  readonly credentials: Pick<Credentials, 'resolve' | 'internal'>
  readonly providerCalls: Pick<ProviderCalls, 'add'>
  readonly settings: RawSettings
  readonly concurrency: ConcurrencyCounts
  /** All variables of the daemon, to find programs. */
  readonly variables: () => Readonly<Record<string, string>>
  /** The setting `process.pass`. */
  readonly pass: () => readonly string[]
  readonly daemonUrl: () => string
  readonly readLogin?: ReadLogin
  readonly peekLogin?: ReadLogin
  /** Default: the model libraries, loaded with the first call. */
  readonly createTarget?: CreateTarget
}
