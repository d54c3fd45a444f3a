import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import type { Host } from '../../kernel/host/host.ts'
import { retentionWindowMs } from './recover.ts'
import { listExpired, purgeExpired } from './store/expired.ts'

/** Few enough that a write in between hardly waits. */
const atOnce = 200

/** Purges what was deleted longer ago than it could be recovered; gives how many memories went. */
export async function sweepExpired({ db, host }: { readonly db: Db; readonly host: Host }) {
  const before = new Date(host.now().getTime() - retentionWindowMs).toISOString()
  let purged = 0
  for (;;) {
    const ids = await listExpired(db, { before, limit: atOnce })
    if (ids.length === 0) return purged
    const gone = await transaction(db, (db) => purgeExpired(db, { ids, before }))
    // What nothing was purged of would be listed for ever.
    if (gone === 0) return purged
    purged += gone
  }
}
