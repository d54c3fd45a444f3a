import { transaction } from '../../kernel/db/transaction.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import { readOne } from './store.ts'

export interface Probe {
  readonly reader: Answer
  readonly writer: Answer
}
type Answer = 'ok' | 'busy' | 'failed'

const deadlineMs = 2000

/** Whether the database can be read, and whether a write would soon have its turn. */
export async function probeDatabase(needs: Pick<DiagnosticsNeeds, 'db' | 'host'>): Promise<Probe> {
  const [reader, writer] = await Promise.all([
    answerOf(needs, () => readOne(needs.db)),
    answerOf(needs, () => transaction(needs.db, readOne)),
  ])
  return { reader, writer }
}

async function answerOf(
  { host }: Pick<DiagnosticsNeeds, 'host'>,
  ask: () => Promise<void>,
): Promise<Answer> {
  const asked = ask().then(
    () => 'ok' as const,
    // The answer is the finding: why it failed is in the log of whoever needed the database.
    () => 'failed' as const,
  )
  return (await withTimeout(host, deadlineMs, asked)) ?? 'busy'
}
