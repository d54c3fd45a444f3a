import type { Db } from '../../kernel/db/database.ts'
import type { Host } from '../../kernel/host/host.ts'

export interface ExplorerNeeds {
  readonly host: Pick<Host, 'now'>
  /** Low read priority. SQLite opens its connections read-only. */
  readonly background: Db
}
