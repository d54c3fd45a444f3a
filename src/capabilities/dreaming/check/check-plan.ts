import { toRef } from '../evidence/evidence.ts'
import { type RenderedSource, readSources } from '../evidence/source.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { Pass, StagedOperation } from '../pass.ts'
import type { Plan } from '../plan-pass.ts'
import { listRefused } from '../store/ledger.ts'
import { findQuoteFault } from './grounding.ts'
import { tryOperations } from './try-operations.ts'

type Verdict = Pick<StagedOperation, 'state' | 'error'>
const sound: Verdict = { state: 'planned', error: null }

/** Marks the operations that are unsound, beyond the limit, or that the graph refuses. */
export async function checkPlan(needs: DreamingNeeds, pass: Pass, plan: Plan): Promise<Plan> {
  const { writesPerPass } = needs.config().budget
  const { agentId } = pass
  const refs = plan.operations.flatMap(({ evidence }) => evidence)
  const sources = await readSources(needs, needs.background, { agentId, refs })
  const refused = await readRefused(needs, agentId)
  const operations: StagedOperation[] = []
  let writes = 0
  for (const operation of plan.operations) {
    if (operation.state !== 'planned') {
      operations.push(operation)
      continue
    }
    const verdict = isRefusedBefore(operation, refused)
      ? { state: 'no_change' as const, error: 'A person has removed this value before.' }
      : checkCitations(sources, operation)
    const isOver = verdict.state === 'planned' && writes >= writesPerPass
    if (verdict.state === 'planned') writes++
    operations.push({ ...operation, ...(isOver ? overLimit(writesPerPass) : verdict) })
  }
  // A pass that applies at once learns what the graph refuses when it applies.
  const isShown = pass.dryRun || needs.config().apply === 'review'
  const tried = isShown ? await tryOperations(needs, pass, operations) : operations
  return { ...plan, operations: tried }
}

function overLimit(limit: number): Verdict {
  return { state: 'refused', error: `writes: the pass has its limit of ${limit} operations.` }
}

async function readRefused({ background }: DreamingNeeds, agentId: string) {
  const rows = await listRefused(background, agentId)
  return new Map(rows.map(({ fingerprint, untilAfter }) => [fingerprint, untilAfter]))
}

function isRefusedBefore(
  { fingerprint, facts }: StagedOperation,
  refused: ReadonlyMap<string, string>,
): boolean {
  const until = refused.get(fingerprint ?? '')
  return until !== undefined && facts.every(({ assertedAt }) => assertedAt <= until)
}

function checkCitations(
  sources: ReadonlyMap<string, RenderedSource>,
  { evidence }: StagedOperation,
): Verdict {
  for (const item of evidence) {
    const source = sources.get(toRef(item))
    if (!source) return { state: 'refused', error: `citation: ${toRef(item)} is gone.` }
    const fault = findQuoteFault(source.text, item.quote)
    if (fault !== undefined) return { state: 'refused', error: `quote: ${fault}` }
  }
  return sound
}
