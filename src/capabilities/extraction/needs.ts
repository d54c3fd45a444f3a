import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { ChildLedger } from '../../kernel/process/child-ledger.ts'

export interface ExtractionNeeds {
  readonly host: Host
  readonly children: Pick<ChildLedger, 'add'>
  readonly log: Pick<Log, 'warn'>
}
