import type { Db } from '../../../kernel/db/database.ts'
import { toRef } from '../evidence/evidence.ts'
import { readSource } from '../evidence/source.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { Pass, StagedOperation } from '../pass.ts'
import type { Plan } from '../plan-pass.ts'
import { listRefused } from '../store/ledger.ts'
import { findQuoteFault } from './quote.ts'
import { tryOperations } from './try-operations.ts'

type Verdict = Pick<StagedOperation, 'state' | 'error'>
const sound: Verdict = { state: 'planned', error: null }

/** Marks the operations that are unsound, beyond the limit, or that the graph refuses. */
export async function checkPlan(needs: DreamingNeeds, pass: Pass, plan: Plan): Promise<Plan> {
  const { writesPerPass } = needs.config().budget
  const texts = createTexts(needs, needs.background, pass.agentId)
  const refused = await readRefused(needs, pass.agentId)
  const operations: StagedOperation[] = []
  let writes = 0
  for (const operation of plan.operations) {
    if (operation.state !== 'planned') {
      operations.push(operation)
      continue
    }
    const verdict = isRefusedBefore(operation, refused)
      ? { state: 'no_change' as const, error: 'A person has removed this value before.' }
      : await checkCitations(texts, operation)
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

type Texts = ReturnType<typeof createTexts>

/** Each source is rendered once. */
function createTexts(needs: DreamingNeeds, db: Db, agentId: string) {
  const texts = new Map<string, Promise<string | undefined>>()
  return (ref: StagedOperation['evidence'][number]) => {
    const key = toRef(ref)
    const text =
      texts.get(key) ?? readSource(needs, db, { ...ref, agentId }).then((source) => source?.text)
    texts.set(key, text)
    return text
  }
}

async function checkCitations(texts: Texts, { evidence }: StagedOperation): Promise<Verdict> {
  for (const item of evidence) {
    const text = await texts(item)
    if (text === undefined) return { state: 'refused', error: `citation: ${toRef(item)} is gone.` }
    const fault = findQuoteFault(text, item.quote)
    if (fault !== undefined) return { state: 'refused', error: `quote: ${fault}` }
  }
  return sound
}
