import type {
  RepairAction,
  RepairCursor,
  RepairInput,
  RepairOutcome,
} from '../capability/repair.ts'
import type { Db } from '../db/database.ts'
import { transaction } from '../db/transaction.ts'

interface Request {
  readonly name: string
  readonly input?: RepairInput
  readonly dryRun?: boolean
}

/** Runs one repair to its end, as the service does. */
export async function runRepair(
  db: Db,
  actions: readonly RepairAction[],
  { name, input = {}, dryRun = false }: Request,
) {
  const parts = actions.filter((action) => action.name === name)
  const outcomes: RepairOutcome[] = []
  for (const part of parts) outcomes.push(...(await runPart(db, part, { input, dryRun })))
  const counts: Record<string, number> = {}
  for (const [key, count] of outcomes.flatMap((outcome) => Object.entries(outcome.counts ?? {})))
    counts[key] = (counts[key] ?? 0) + count
  const totals = {
    affected: outcomes.reduce((sum, { affected }) => sum + affected, 0),
    counts,
    details: Object.assign({}, ...outcomes.map(({ details }) => details)),
    dryRun,
  }
  const describer = parts.find(({ describe }) => describe !== undefined)
  return { ...totals, message: describer?.describe?.(totals) ?? '' }
}

const actor = { name: 'ada', type: 'operator', requestId: 'r1' }

async function runPart(
  db: Db,
  part: RepairAction,
  { input, dryRun }: Required<Omit<Request, 'name'>>,
): Promise<RepairOutcome[]> {
  const { signal } = new AbortController()
  const save = (write: (own: Db) => Promise<RepairOutcome>) =>
    dryRun ? Promise.reject(new Error('A dry run writes nothing.')) : transaction(db, write)
  const outcomes: RepairOutcome[] = []
  for (let cursor: RepairCursor = null; ; ) {
    const outcome = await part.run({ input, cursor, dryRun, signal, actor, save })
    outcomes.push(outcome)
    if (outcome.next === null || outcome.endsRun) return outcomes
    cursor = outcome.next
  }
}
