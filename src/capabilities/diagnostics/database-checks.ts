import type { z } from 'zod'
import { transaction } from '../../kernel/db/transaction.ts'
import { messageOf } from '../../kernel/errors/system-error.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import type { integrity } from './schemas.ts'
import { findDamage, listTables, readOne } from './store.ts'

const deadlineMs = 2000

/** Tests a read and the write queue, each with a deadline. */
export async function probeDatabase(needs: Pick<DiagnosticsNeeds, 'db' | 'host'>) {
  const [reader, writer] = await Promise.all([
    toProbeResult(needs, () => readOne(needs.db)),
    toProbeResult(needs, () => transaction(needs.db, readOne)),
  ])
  return { reader, writer }
}

async function toProbeResult({ host }: Pick<DiagnosticsNeeds, 'host'>, query: () => Promise<void>) {
  const result = query().then(
    () => 'ok' as const,
    // The caller that needs the database logs the error.
    () => 'failed' as const,
  )
  return (await withTimeout(host, deadlineMs, result)) ?? 'busy'
}

type Integrity = z.output<typeof integrity>

export interface IntegrityCheck {
  result(): Integrity
  /** Checks table by table; shutdown ends the check after the current table. No-op for a server. */
  run(): Promise<void>
}

type IntegrityNeeds = Pick<DiagnosticsNeeds, 'background' | 'host' | 'log' | 'self'>

export function createIntegrityCheck({
  background: db,
  host,
  log,
  self,
}: IntegrityNeeds): IntegrityCheck {
  const isServer = self.engine === 'postgres'
  const detail = isServer ? 'the database server checks its own pages' : 'not checked yet'
  const state: { result: Integrity } = { result: { state: 'unknown', detail } }
  const setResult = (result: Integrity): void => {
    state.result = { ...result, checkedAt: host.now().toISOString() }
    if (result.state !== 'ok') log.error(result, 'integrity check failed')
  }
  const checkTables = async (): Promise<void> => {
    for (const table of await listTables(db)) {
      if (self.stopping()) return
      const detail = await findDamage(db, table)
      if (detail !== undefined)
        return setResult({ state: 'corrupt', detail: `${table}: ${detail}` })
    }
    setResult({ state: 'ok' })
  }
  return {
    result: () => state.result,
    run: async () => {
      if (isServer) return
      try {
        await checkTables()
      } catch (error) {
        // Shutdown closes the database while a check may be queued.
        if (self.stopping()) return
        const detail = messageOf(error)
        setResult({ state: 'unavailable', detail })
      }
    },
  }
}
