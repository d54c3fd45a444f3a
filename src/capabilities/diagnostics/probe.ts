import { transaction } from '../../kernel/db/transaction.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import { readOne } from './store.ts'

export interface Probe {
  readonly reader: ProbeResult
  readonly writer: ProbeResult
}
type ProbeResult = 'ok' | 'busy' | 'failed'

const deadlineMs = 2000

/** Tests a read and the write queue, each with a deadline. */
export async function probeDatabase(needs: Pick<DiagnosticsNeeds, 'db' | 'host'>): Promise<Probe> {
  const [reader, writer] = await Promise.all([
    toProbeResult(needs, () => readOne(needs.db)),
    toProbeResult(needs, () => transaction(needs.db, readOne)),
  ])
  return { reader, writer }
}

async function toProbeResult(
  { host }: Pick<DiagnosticsNeeds, 'host'>,
  query: () => Promise<void>,
): Promise<ProbeResult> {
  const result = query().then(
    () => 'ok' as const,
    // The caller that needs the database logs the error.
    () => 'failed' as const,
  )
  return (await withTimeout(host, deadlineMs, result)) ?? 'busy'
}
